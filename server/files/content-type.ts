import { isUtf8 } from 'node:buffer'
import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileKind } from '#contract/files.ts'
import { ownValue } from '../lib/own-value.ts'

/** What is looked at to tell what bytes are. */
export const HEAD_BYTES = 64 * 1024

/** Text has no marks of its own, so the name decides, but only what kind of text it is. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  md: 'text/markdown',
  markdown: 'text/markdown',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  ipynb: 'application/x-ipynb+json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  rtf: 'application/rtf',
  eml: 'message/rfc822',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
}

const KNOWN_TEXT_TYPES = new Set(Object.values(TEXT_TYPES))

/** Old office files share one container. */
const OLD_OFFICE_TYPES: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
}

/** Lower-case, without the dot; empty when the name has none. */
export const extensionOf = (filename: string): string =>
  /\.([^.\s/\\]{1,20})$/.exec(filename)?.[1]?.toLowerCase() ?? ''

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const hasUtf16Mark = (head: Buffer): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)

const isText = (head: Buffer): boolean => hasUtf16Mark(head) || !head.includes(0)

/**
 * The name of the encoding for browsers, by the first `HEAD_BYTES` of a text; null when it is none
 * of those that can be told for sure.
 */
export function findCharset(head: Buffer): 'utf-8' | 'utf-16' | null {
  if (hasUtf16Mark(head)) return 'utf-16'
  // A character may be cut at the end of what was read.
  const whole =
    head.length < HEAD_BYTES
      ? head
      : head.subarray(
          0,
          head.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0),
        )
  return isUtf8(whole) ? 'utf-8' : null
}

/**
 * What a file really is, by its bytes; what the upload said counts for nothing, its name only where
 * text is told from text.
 */
export async function findContentType(
  path: string,
  filename: string,
  hint: string | null,
): Promise<string> {
  // @NOTE The function for paths looks for a package that a bundle does not have beside it.
  const { fileTypeFromBlob } = await import('file-type')
  const extension = extensionOf(filename)
  const found = (await fileTypeFromBlob(await openAsBlob(path)))?.mime
  if (found === 'application/x-cfb') return ownValue(OLD_OFFICE_TYPES, extension) ?? found
  if (found !== undefined && found !== 'application/xml') return found
  if (!isText(await readHead(path))) return 'application/octet-stream'
  const hinted = hint?.split(';')[0]!.trim().toLowerCase() ?? ''
  return (
    ownValue(TEXT_TYPES, extension) ??
    found ??
    (KNOWN_TEXT_TYPES.has(hinted) ? hinted : 'text/plain')
  )
}

/** Pictures models can see and every browser shows. They can carry no script. */
const PLAIN_PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
export const isPlainPicture = (contentType: string): boolean => PLAIN_PICTURES.has(contentType)

const KINDS: readonly { readonly kind: FileKind; readonly pattern: RegExp }[] = [
  // Drawings are text.
  { kind: 'text', pattern: /^image\/svg/ },
  { kind: 'image', pattern: /^image\// },
  { kind: 'pdf', pattern: /^application\/pdf$/ },
  { kind: 'table', pattern: /^text\/(csv|tab-separated)|spreadsheet|ms-excel/ },
  {
    kind: 'document',
    pattern:
      /msword|ms-(powerpoint|outlook)|officedocument|opendocument|epub|rtf|rfc822|^text\/(html|markdown)|xhtml/,
  },
  { kind: 'text', pattern: /^text\/|json|xml|yaml|subrip/ },
]

export const kindOf = (contentType: string): FileKind =>
  KINDS.find(({ pattern }) => pattern.test(contentType))?.kind ?? 'other'

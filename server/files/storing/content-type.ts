import { isUtf8 } from 'node:buffer'
import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileKind } from '#contract/files.ts'
import { ownValue } from '../../lib/json/own-value.ts'

/** Number of leading bytes used to detect the type. */
export const HEAD_BYTES = 64 * 1024

/** Text has no signature, so the name decides, but only on the kind of text. */
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

/** Old office files share one container format. */
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
 * Returns the encoding name for browsers, detected from the first `HEAD_BYTES` of a text; null if
 * it cannot be determined with certainty.
 */
export function findCharset(head: Buffer): 'utf-8' | 'utf-16' | null {
  if (hasUtf16Mark(head)) return 'utf-16'
  // The last character may be cut off at the end of the bytes read.
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
 * Detects the media type from the bytes; the type stated by the upload is ignored, and the name
 * only distinguishes kinds of text.
 */
export async function findContentType(
  path: string,
  filename: string,
  hint: string | null,
): Promise<string> {
  // @NOTE `fileTypeFromFile` loads a package at run time that the bundle does not contain.
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

/** Image formats that models can process and every browser shows. They cannot contain scripts. */
const PLAIN_PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
export const isPlainPicture = (contentType: string): boolean => PLAIN_PICTURES.has(contentType)

const KINDS: readonly { readonly kind: FileKind; readonly pattern: RegExp }[] = [
  // SVG files are text.
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

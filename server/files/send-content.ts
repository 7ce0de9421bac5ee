import type { IncomingMessage, ServerResponse } from 'node:http'
import { stat } from 'node:fs/promises'
import { notFound, ServiceError } from '../lib/errors.ts'
import { sendFile } from '../lib/send-file.ts'
import { findCharset, isPlainPicture } from './content-type.ts'
import type { FileRow } from './store.ts'

/** One file on its way to somebody who may read it. */
export interface Delivery {
  readonly row: FileRow
  readonly path: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly signal: AbortSignal
}

/**
 * Nothing in a file may run, load or send anything in the name of this gateway, however a browser
 * opens it.
 */
const INERT = "sandbox; default-src 'none'; frame-ancestors 'self'"
/** A page may look as it was meant to, with what it carries in itself. */
const INERT_PAGE =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'"

const mayBeShown = (contentType: string): boolean =>
  isPlainPicture(contentType) || contentType === 'application/pdf' || contentType === 'text/plain'

/** Characters that need no escape in the extended form of a parameter (RFC 8187). */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16)}`,
  )

const toDisposition = (kind: 'inline' | 'attachment', filename: string): string =>
  `${kind}; filename="${filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeName(filename)}`

interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The one range a call asks for; null for the whole file, also when several are asked for. 416
 * beyond the end.
 */
function parseRange({ headers }: IncomingMessage, size: number, etag: string): Range | null {
  const condition = headers['if-range']
  if (typeof condition === 'string' && condition !== etag) return null
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [first, last] = [found[1]!, found[2]!]
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end && start < size) return { start, end }
  throw new ServiceError(416, 'The file has no such range.', {
    code: 'no_such_range',
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

async function requireBytes({ row, path }: Delivery): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found?.size !== row.size)
    throw notFound(
      'The bytes of this file are missing in the data folder. Delete the file and upload it again.',
    )
}

const hasTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))

async function sendBytes(delivery: Delivery, headers: Record<string, string>): Promise<void> {
  const { row, path, request, response, signal } = delivery
  await requireBytes(delivery)
  const etag = `"${row.hash}"`
  const common = {
    ...headers,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
  if (hasTag(request.headers['if-none-match'], etag))
    return void response.writeHead(304, common).end()
  const range = parseRange(request, row.size, etag)
  const length = range ? range.end - range.start + 1 : row.size
  response.writeHead(range ? 206 : 200, {
    ...common,
    'Content-Length': length,
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${row.size}` }),
  })
  if (request.method === 'HEAD' || length === 0) return void response.end()
  try {
    await sendFile(path, response, { signal, ...(range && { range }) })
  } catch (error) {
    // Who leaves in the middle has heard enough.
    if (!signal.aborted) throw error
  }
}

/** Sends the bytes, to be shown only where a browser can do no harm with them. */
export async function sendContent(delivery: Delivery, isAttachment: boolean): Promise<void> {
  const { content_type, filename } = delivery.row
  const charset = content_type.startsWith('text/')
    ? await findCharset(delivery.path).catch(() => null)
    : null
  await sendBytes(delivery, {
    'Content-Type': charset === null ? content_type : `${content_type}; charset=${charset}`,
    'Content-Disposition': toDisposition(
      !isAttachment && mayBeShown(content_type) ? 'inline' : 'attachment',
      filename,
    ),
    'Content-Security-Policy': INERT,
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
}

/** Sends an HTML file as a page that can do nothing. */
export async function sendPage(delivery: Delivery): Promise<void> {
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(delivery.row.content_type))
    throw notFound('This file is no HTML page.')
  const charset = await findCharset(delivery.path).catch(() => null)
  await sendBytes(delivery, {
    'Content-Type': charset === null ? 'text/html' : `text/html; charset=${charset}`,
    'Content-Security-Policy': INERT_PAGE,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
}

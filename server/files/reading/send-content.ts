import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasTag } from '../../lib/serving/entity-tag.ts'
import { toDisposition } from '../../lib/serving/to-disposition.ts'
import { notFound, ServiceError } from '../../lib/errors.ts'
import { sendStream } from '../../lib/serving/send-file.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { findCharset, HEAD_BYTES, isPlainPicture } from '../storing/content-type.ts'
import { blobOf, type FileRow } from '../store.ts'

/** Parameters for sending one file to a user who may read it. */
export interface Delivery {
  readonly row: FileRow
  readonly blobs: Blobs
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly signal: AbortSignal
}

/**
 * Nothing in a file may run, load or send anything on behalf of this gateway, however a browser
 * opens it.
 */
const INERT = "sandbox; default-src 'none'; frame-ancestors 'self'"
/** A page may be rendered as designed, using only resources embedded in it. */
const INERT_PAGE =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'"

const mayBeShown = (contentType: string): boolean =>
  isPlainPicture(contentType) || contentType === 'application/pdf' || contentType === 'text/plain'

interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Returns the single range a request asks for; null for the whole file, also if several ranges are
 * requested or the range is invalid. Throws 416 beyond the end.
 */
function parseRange({ headers }: IncomingMessage, size: number, etag: string): Range | null {
  const condition = headers['if-range']
  if (typeof condition === 'string' && condition !== etag) return null
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [first, last] = [found[1]!, found[2]!]
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end && start < size) return { start, end }
  throw new ServiceError(416, 'The file has no such range.', {
    code: 'no_such_range',
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

async function sendBytes(delivery: Delivery, headers: Record<string, string>): Promise<void> {
  const { row, blobs, request, response, signal } = delivery
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
  const isEmpty = request.method === 'HEAD' || length === 0
  const bytes = isEmpty ? null : await blobs.open(blobOf(row), { signal, range })
  if (isEmpty) await blobs.require(blobOf(row))
  response.writeHead(range ? 206 : 200, {
    ...common,
    'Content-Length': length,
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${row.size}` }),
  })
  if (!bytes) return void response.end()
  try {
    await sendStream(bytes, response, signal)
  } catch (error) {
    // A client that disconnects early is not an error.
    if (!signal.aborted) throw error
  }
}

/** Returns the charset suffix of a text media type. */
async function charsetOf({ row, blobs }: Delivery): Promise<string> {
  const charset = findCharset(await blobs.head(blobOf(row), HEAD_BYTES))
  return charset === null ? '' : `; charset=${charset}`
}

/** Sends the bytes, inline only if a browser cannot do harm with them. */
export async function sendContent(delivery: Delivery, isAttachment: boolean): Promise<void> {
  const { content_type, filename } = delivery.row
  const charset = content_type.startsWith('text/') ? await charsetOf(delivery) : ''
  await sendBytes(delivery, {
    'Content-Type': `${content_type}${charset}`,
    'Content-Disposition': toDisposition(
      filename,
      !isAttachment && mayBeShown(content_type) ? 'inline' : 'attachment',
    ),
    'Content-Security-Policy': INERT,
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
}

/** Sends an HTML file as an inert page. */
export async function sendPage(delivery: Delivery): Promise<void> {
  if (!/^(text\/html|application\/xhtml\+xml)$/.test(delivery.row.content_type))
    throw notFound('This file is no HTML page.')
  await sendBytes(delivery, {
    'Content-Type': `text/html${await charsetOf(delivery)}`,
    'Content-Security-Policy': INERT_PAGE,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
}

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** Misbehaviour of a hub for the next request of a file; each applies once. */
export type HubFault =
  | { readonly kind: 'cut' | 'stall'; readonly after: number }
  | { readonly kind: 'ignore-range' | 'change' | 'too-long' | 'huge' | 'fail' }
  | { readonly kind: 'missing' | 'other-bytes' | 'other-length' | 'compress' }
  | { readonly kind: 'redirect'; readonly to: string }

/** A hub that serves one model file by range, and misbehaves on request. */
export interface ModelHub {
  readonly url: string
  /** The name of the repository with the file. */
  readonly repository: string
  readonly faults: HubFault[]
  /** Misbehaviour of every request of a file for which `faults` lists none. */
  lasting: HubFault | null
  /** First bytes of the requested ranges; null for the whole file. */
  readonly ranges: (string | null)[]
  /** False data for the list. */
  promise: { sha256?: string; bytes?: number }
  /** Replies to requests of the list instead of the hub. */
  answerList: ((response: ServerResponse) => void) | null
  /** Bytes per second; unlimited if null. */
  pace: number | null
  file: Buffer
  close(): Promise<void>
}

const PIECE = 16_384
/** More than the capacity of any disk. */
const HUGE = 10 ** 15
const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`

async function sendPieces(
  hub: ModelHub,
  response: ServerResponse,
  bytes: Buffer,
  fault: HubFault | undefined,
): Promise<void> {
  const limit = fault && 'after' in fault ? fault.after : bytes.length
  for (let at = 0; at < Math.min(limit, bytes.length) && !response.destroyed; at += PIECE) {
    response.write(bytes.subarray(at, Math.min(at + PIECE, limit)))
    if (hub.pace !== null)
      await new Promise((resolve) => setTimeout(resolve, (PIECE / hub.pace!) * 1000))
    else await new Promise((resolve) => setImmediate(resolve))
  }
  if (fault?.kind === 'stall') return
  if (fault?.kind === 'cut') return void response.destroy()
  if (fault?.kind === 'too-long') response.write(Buffer.alloc(PIECE))
  response.end()
}

/** Returns the file, or what a hub that lies sends in its place. */
function toSent(file: Buffer, fault: HubFault | undefined): Buffer {
  if (fault?.kind === 'other-length') return file.subarray(0, file.length - 1000)
  return fault?.kind === 'other-bytes' ? Buffer.from(file.toReversed()) : file
}

async function sendFile(
  hub: ModelHub,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = request.headers.range ?? null
  hub.ranges.push(asked)
  const fault = hub.faults.shift() ?? hub.lasting ?? undefined
  if (fault?.kind === 'fail') return void response.writeHead(503).end()
  if (fault?.kind === 'missing') return void response.writeHead(404).end('Not found.')
  if (fault?.kind === 'redirect') return void response.writeHead(302, { Location: fault.to }).end()
  if (fault?.kind === 'compress') {
    // Sent in pieces without a length, as a server does that compresses what it sends.
    response.writeHead(200, { 'Content-Encoding': 'gzip' })
    return void response.end(gzipSync(hub.file))
  }
  if (fault?.kind === 'huge') {
    response.writeHead(200, { 'Content-Length': HUGE })
    return void response.write(hub.file)
  }
  if (fault?.kind === 'change') hub.file = Buffer.concat([hub.file, Buffer.alloc(32)])
  const file = toSent(hub.file, fault)
  const etag = etagOf(file)
  const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
  const from = asked && isSame && fault?.kind !== 'ignore-range' ? Number(/\d+/.exec(asked)![0]) : 0
  const part = file.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, {
    ETag: etag,
    // Without a length, more bytes can be sent than the file has.
    ...(fault?.kind !== 'too-long' && { 'Content-Length': part.length }),
    ...(from > 0 && {
      'Content-Range': `bytes ${from}-${file.length - 1}/${file.length}`,
    }),
  })
  await sendPieces(hub, response, part, fault)
}

export async function startModelHub(
  file: Buffer,
  fileName = 'Hub-Tiny-Q8_0.gguf',
): Promise<ModelHub> {
  const repository = 'maker/Hub-Tiny-GGUF'
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/models/')) {
      if (hub.answerList) return hub.answerList(response)
      const { sha256 = createHash('sha256').update(hub.file).digest('hex'), bytes } = hub.promise
      const row = {
        type: 'file',
        path: fileName,
        size: bytes ?? hub.file.length,
        lfs: { oid: sha256 },
      }
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify([{ type: 'file', path: 'README.md', size: 3 }, row]))
    } else void sendFile(hub, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hub: ModelHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repository,
    faults: [],
    lasting: null,
    ranges: [],
    promise: {},
    answerList: null,
    pace: null,
    file,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return hub
}

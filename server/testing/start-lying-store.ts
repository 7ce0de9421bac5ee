import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * Behaviour of the store for requests of an object; the smallest objects are always sent correctly.
 */
export type StoreConduct =
  | 'honest'
  /** Half of the bytes, with the matching length stated. */
  | 'short'
  /** Half of the bytes, without a stated length. */
  | 'short-in-pieces'
  /** The right number of bytes, but different ones. */
  | 'other-bytes'
  /** The whole object, whatever range was requested. */
  | 'ignores-ranges'
  /** An unrelated page. */
  | 'no-store'
  /** Refuses all access. */
  | 'refuses'

const SMALL = 1000

const fault = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`

function sendPart(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (!range) return void response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
  const [start, end] = [Number(range[1]), Number(range[2])]
  const part = bytes.subarray(start, end + 1)
  response.writeHead(206, {
    'Content-Length': part.length,
    'Content-Range': `bytes ${start}-${end}/${bytes.length}`,
  })
  response.end(part)
}

const answers: Readonly<
  Record<StoreConduct, (request: IncomingMessage, response: ServerResponse, bytes: Buffer) => void>
> = {
  honest: sendPart,
  short(_, response, bytes) {
    const half = bytes.subarray(0, bytes.length / 2)
    response.writeHead(200, { 'Content-Length': half.length }).end(half)
  },
  'short-in-pieces': (_, response, bytes) =>
    void response.writeHead(200).end(bytes.subarray(0, bytes.length / 2)),
  'other-bytes': (request, response, bytes) =>
    sendPart(request, response, Buffer.alloc(bytes.length, 'x')),
  'ignores-ranges': (_, response, bytes) =>
    void response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes),
  'no-store': (_, response) =>
    void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  refuses: (_, response) =>
    void response.writeHead(403, { 'Content-Type': 'application/xml' }).end(fault('AccessDenied')),
}

/** Starts a store that accepts objects and does not always return them. */
export async function startLyingStore(at = 0) {
  const objects = new Map<string, Buffer>()
  const store = { conduct: 'honest' as StoreConduct }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = request.url!.split('?')[0]!
    const sent = await buffer(request)
    if (store.conduct === 'refuses') return answers.refuses(request, response, sent)
    if (request.method === 'PUT') {
      objects.set(name, sent)
      return void response.writeHead(200, { ETag: '"x"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(name)
      return void response.writeHead(204).end()
    }
    const bytes = objects.get(name)
    if (!bytes) return void response.writeHead(404).end(fault('NoSuchKey'))
    answers[bytes.length < SMALL ? 'honest' : store.conduct](request, response, bytes)
  }
  const unfinished = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    unfinished.add(response)
    response.once('close', () => unfinished.delete(response))
    void answer(request, response)
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    objects,
    store,
    /** Responses that have not been read yet. */
    unfinished,
    environment: {
      STORAGE_PROVIDER: 's3',
      S3_BUCKET_NAME: 'uploads',
      S3_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'somebody',
      S3_SECRET_ACCESS_KEY: 'secret-of-somebody',
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { claimPng, drawPng } from '../draw-png.ts'

/**
 * Misbehaviour of a server: it never responds, closes the connection midway, responds with a page,
 * never ends, sends a few bytes that claim to be a huge image, or something that is not an image,
 * redirects to this computer, sends more than any client accepts, refuses, or repeats the key it
 * was sent.
 */
export type PictureFault =
  | 'silent'
  | 'cut'
  | 'page'
  | 'endless'
  | 'bomb'
  | 'text'
  | 'redirect'
  | 'huge'
  | 'refused'
  | 'empty'
  | 'echo'

export interface ReceivedCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  json(): Record<string, unknown>
}

/** A server with one protocol, as tests see it. */
export interface PictureServer {
  readonly url: string
  readonly calls: ReceivedCall[]
  /** Fault of the calls that make an image. */
  fault: PictureFault | null
  picture: Buffer
  /** Resolves when a call with this path has arrived. */
  called(path: string): Promise<ReceivedCall>
  /** Number of calls whose client disconnected before the response. */
  left: number
  close: () => Promise<void>
}

export type Answer = (call: ReceivedCall, reply: Reply) => unknown

export interface Reply {
  readonly response: ServerResponse
  readonly server: PictureServer
  json(value: unknown): void
  /** Responds with JSON that contains images, or according to the fault of the server. */
  pictures(toJson: (base64: string) => unknown): void
}

const HUGE_BYTES = 80 * 1024 * 1024
const SLICE = Buffer.alloc(256 * 1024, 'A')

async function pour(response: ServerResponse, bytes: number): Promise<void> {
  // Each wait leaves a listener behind for the event that did not occur.
  response.setMaxListeners(0)
  for (let sent = 0; sent < bytes && !response.destroyed; sent += SLICE.length) {
    if (!response.write(SLICE))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}

function sendFault(
  fault: PictureFault,
  response: ServerResponse,
  toJson: (base64: string) => unknown,
): void {
  const send = (value: unknown): void =>
    void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
  switch (fault) {
    case 'silent':
      return
    case 'cut': {
      const text = JSON.stringify(toJson(drawPng(64, 64).toString('base64').repeat(50)))
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': String(text.length),
      })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
      return
    }
    case 'page':
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<html><body>Welcome</body></html>')
      return
    case 'endless':
    case 'huge': {
      const [head] = JSON.stringify(toJson('#')).split('#')
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.write(head)
      void pour(response, fault === 'huge' ? HUGE_BYTES : Infinity).then(() => response.end())
      return
    }
    case 'bomb':
      return send(toJson(claimPng(60_000, 60_000).toString('base64')))
    case 'text':
      return send(
        toJson(
          Buffer.from(
            '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
          ).toString('base64'),
        ),
      )
    case 'redirect':
      response.writeHead(307, { Location: 'http://127.0.0.1:1/secret' }).end()
      return
    case 'refused':
      response.writeHead(400, { 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: 'Your request was rejected by the safety system.' } }),
      )
      return
    case 'empty':
      return send({})
    case 'echo':
      response.writeHead(401, { 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: `Wrong key: ${response.req.headers.authorization}` } }),
      )
      return
  }
}

/** Starts an HTTP server with the handler `answer`. Each protocol is in a separate file. */
export async function servePictures(
  answer: Answer,
  onServer: (server: Server) => void = () => undefined,
): Promise<PictureServer> {
  const waiting: { path: string; resolve: (call: ReceivedCall) => void }[] = []
  const http = createServer()
  onServer(http)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: PictureServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls: [],
    fault: null,
    picture: drawPng(),
    left: 0,
    called(path) {
      const known = server.calls.find((call) => call.path.startsWith(path))
      return known
        ? Promise.resolve(known)
        : new Promise((resolve) => waiting.push({ path, resolve }))
    },
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => (server.left += response.writableFinished ? 0 : 1))
    const body = await buffer(request)
    const json = (): Record<string, unknown> =>
      JSON.parse(body.toString('utf8')) as Record<string, unknown>
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      json,
    }
    server.calls.push(call)
    for (const each of waiting.filter(({ path }) => call.path.startsWith(path))) each.resolve(call)
    const reply: Reply = {
      response,
      server,
      json: (value) =>
        void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value)),
      pictures(toJson) {
        if (server.fault !== null) return sendFault(server.fault, response, toJson)
        reply.json(toJson(server.picture.toString('base64')))
      },
    }
    await answer(call, reply)
  }
  http.on('request', (request, response) => void receive(request, response))
  return server
}

import { connect, type Socket } from 'node:net'

/** A prebuilt request to a port of this machine. */
export interface Target {
  readonly port: number
  /** Head and body as sent. */
  readonly request: string
}

/**
 * One keep-alive connection that sends one request at a time and parses as little of the reply as
 * possible.
 */
export interface Client {
  /**
   * Resolves at the end of the reply. `onBody` receives every piece of the body, including the
   * chunk framing.
   */
  send(request: Buffer, onBody?: (bytes: Buffer) => void): Promise<void>
  close(): void
}

interface Reply {
  readonly onBody?: (bytes: Buffer) => void
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  /** Bytes still missing; -1 for chunked, null before the head is complete. */
  missing: number | null
  held: Buffer
  tail: string
}

const CHUNKED_END = '0\r\n\r\n'
const EMPTY = Buffer.alloc(0)

function readHead(reply: Reply, bytes: Buffer): Buffer {
  const text = reply.held.length === 0 ? bytes : Buffer.concat([reply.held, bytes])
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) {
    reply.held = text
    return EMPTY
  }
  const head = text.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(head.split('\r\n', 1)[0])
  const length = /content-length: *(\d+)/i.exec(head)
  reply.missing = length ? Number(length[1]) : -1
  return text.subarray(end + 4)
}

/** Returns true if the reply is complete with these bytes. */
function takeBody(reply: Reply, bytes: Buffer): boolean {
  if (bytes.length > 0) reply.onBody?.(bytes)
  if (reply.missing !== -1) {
    reply.missing! -= bytes.length
    return reply.missing === 0
  }
  reply.tail = (
    reply.tail + bytes.toString('latin1', Math.max(0, bytes.length - CHUNKED_END.length))
  ).slice(-CHUNKED_END.length)
  return reply.tail === CHUNKED_END
}

export function openClient(port: number): Client {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let reply: Reply | null = null
  const fail = (error: Error) => {
    reply?.reject(error)
    reply = null
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The connection was closed.')))
  socket.on('data', (bytes) => {
    if (!reply) return
    try {
      const body = reply.missing === null ? readHead(reply, bytes) : bytes
      if (reply.missing === null || !takeBody(reply, body)) return
      const { resolve } = reply
      reply = null
      resolve()
    } catch (error) {
      fail(error as Error)
    }
  })
  return {
    send: (request, onBody) =>
      new Promise((resolve, reject) => {
        reply = { onBody, resolve, reject, missing: null, held: EMPTY, tail: '' }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const UNREADABLE = [
  '400 Bad Request',
  'This is no HTTP request that the gateway can read. Check the program or proxy that sent it.',
] as const
const BY_CODE: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    [
      '431 Request Header Fields Too Large',
      'The address and headers of this request are too long. Shorten the address, or remove cookies of this site.',
    ],
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ['413 Payload Too Large', 'The pieces of this request carry too much besides its body.'],
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    ['408 Request Timeout', 'The request did not arrive in time. Send it again.'],
  ],
])

interface CallerSocket extends Duplex {
  /** Response of Node that is being written to it. */
  readonly _httpMessage?: ServerResponse | null
}

/** Answers what is no request with a sentence; Node's own answer is empty. */
export function refuseUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: CallerSocket) => {
    if (socket.writable && !socket._httpMessage?.headersSent) {
      const [status, detail] = BY_CODE.get(error.code) ?? UNREADABLE
      const body = JSON.stringify({ detail })
      socket.write(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    }
    socket.destroy(error)
  })
}

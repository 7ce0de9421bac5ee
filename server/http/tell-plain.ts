import type { Server, Socket } from 'node:net'

/** First byte of a TLS handshake, with which no plaintext request starts. */
const HANDSHAKE = 0x16
const PATIENCE_MILLISECONDS = 10_000
const MOST_BYTES = 16_384
const SENTENCE = 'This address is reached by https only. Open'
/** Path that is safe in a header; two slashes would lead to another host. */
const PATH = /^GET (\/(?!\/)[\x21-\x7e]*) HTTP\/1\.[01]\r\n/

const urlOf = ({ localAddress = '', localPort }: Socket): string =>
  `https://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`

/**
 * Redirects a browser to the same page over https, keeping the part after `#`. API clients are
 * rejected, so that a key sent in plaintext is noticed.
 */
function writeReply(socket: Socket, head: string): string {
  const url = urlOf(socket)
  const path = PATH.exec(head)?.[1]
  const isPage = path !== undefined && /\r\naccept:[^\r]*text\/html/i.test(head)
  const body = isPage
    ? `<!doctype html><title>https</title><p>${SENTENCE} <a href="${url}">${url}</a>`
    : JSON.stringify({ detail: `${SENTENCE} ${url}`, code: 'https_needed' })
  return [
    isPage ? 'HTTP/1.1 307 Temporary Redirect' : 'HTTP/1.1 400 Bad Request',
    ...(isPage ? [`Location: ${url}${path}`] : []),
    `Content-Type: ${isPage ? 'text/html; charset=utf-8' : 'application/json'}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** Reads the head of a plaintext request and replies with the right URL. */
function tell(socket: Socket): void {
  let head = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    head += text
    const isWhole = head.includes('\r\n\r\n')
    if (!isWhole && head.length < MOST_BYTES) return
    socket.removeAllListeners('data')
    socket.end(writeReply(socket, head), () => socket.destroySoon())
  })
}

/**
 * Makes an HTTPS listener answer plaintext requests, for which a browser would otherwise only show
 * a closed connection.
 */
export function tellPlain(server: Server): void {
  const secure = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const end = (): void => void socket.destroy()
    socket.setTimeout(PATIENCE_MILLISECONDS, end)
    socket.on('error', end)
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null
      if (first === null) return end()
      socket.unshift(first)
      if (first[0] !== HANDSHAKE) return tell(socket)
      socket.setTimeout(0)
      socket.off('timeout', end).off('error', end)
      for (const listener of secure) listener.call(server, socket)
    })
  })
}

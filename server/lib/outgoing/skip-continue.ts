import type { Socket } from 'node:net'

const FIRST_BYTE = 0x48
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/
/** Length of the beginning of a head, up to its status. */
const BEGIN_BYTES = 13
const END = '\r\n\r\n'
/** Maximum length of a head with status 100. */
const MOST_HELD = 16 * 1024

/** Returns true if these bytes may become a head with status 100. */
function mayContinue(text: string): boolean {
  if (text.length >= BEGIN_BYTES) return CONTINUE.test(text)
  return (
    CONTINUE.test(text + 'HTTP/1.1 100 '.slice(text.length)) ||
    CONTINUE.test(text + 'HTTP/1.0 100 '.slice(text.length))
  )
}

/**
 * Returns the bytes at the beginning of a reply without any heads with status 100; null while that
 * cannot be decided.
 */
function withoutContinue(bytes: Buffer): Buffer | null {
  let from = 0
  for (;;) {
    const text = bytes.toString('latin1', from, from + BEGIN_BYTES)
    if (text === '' || !mayContinue(text)) return bytes.subarray(from)
    const end = bytes.indexOf(END, from, 'latin1')
    if (end === -1) return bytes.length > MOST_HELD ? bytes.subarray(from) : null
    from = end + END.length
  }
}

/**
 * Removes unrequested heads with status 100 from the data of a connection.
 *
 * @NOTE RFC 9110 (15.2) requires a client to ignore them; undici closes the connection. It reads
 *   the data pushed into the stream, so they are removed there. They can occur only where a reply
 *   begins: at the first bytes after the last written ones.
 */
export function skipContinue(socket: Socket): void {
  const push = socket.push.bind(socket)
  let answered = 0
  let held: Buffer | null = null
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (held === null) {
      if (chunk?.[0] !== FIRST_BYTE || socket.bytesWritten === answered)
        return push(chunk, encoding)
      answered = socket.bytesWritten
    }
    const bytes = held === null ? chunk! : Buffer.concat(chunk === null ? [held] : [held, chunk])
    const rest = withoutContinue(bytes)
    if (rest === null && chunk !== null) {
      held = bytes
      return true
    }
    held = null
    const left = rest ?? bytes
    // The next bytes again begin a reply.
    if (left.length === 0) answered = -1
    const goesOn = left.length === 0 || push(left, encoding)
    return chunk === null ? push(null) : goesOn
  }
}

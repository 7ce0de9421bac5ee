import type { Socket } from 'node:net'

const FIRST_BYTE = 0x48
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/
/** What a head begins with, up to its status. */
const BEGIN_BYTES = 13
const END = '\r\n\r\n'
/** A longer head is none that says to go on. */
const MOST_HELD = 16 * 1024

/** Whether these bytes may become a head with status 100. */
function mayContinue(text: string): boolean {
  if (text.length >= BEGIN_BYTES) return CONTINUE.test(text)
  return (
    CONTINUE.test(text + 'HTTP/1.1 100 '.slice(text.length)) ||
    CONTINUE.test(text + 'HTTP/1.0 100 '.slice(text.length))
  )
}

/**
 * What is left of the bytes at the beginning of a reply without the heads that say to go on; null
 * while that is not known.
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
 * Takes the heads with status 100 that nobody asked for out of what a connection brings.
 *
 * @NOTE RFC 9110 (15.2) has a client ignore them; undici ends the connection. It reads what is
 *   pushed into the stream, so they are
 * left out there. They can only stand where a reply begins: at the first bytes behind those that
 * were written last.
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
    // The next bytes begin a reply again.
    if (left.length === 0) answered = -1
    const goesOn = left.length === 0 || push(left, encoding)
    return chunk === null ? push(null) : goesOn
  }
}

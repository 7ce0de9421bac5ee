import type { IncomingMessage } from 'node:http'

/** Limits for reading the rest of a rejected body. */
const MOST_BYTES = 256 * 1024 * 1024
const MOST_MILLISECONDS = 60_000

/**
 * Reads and discards the rest of a rejected body and calls `done` at its end. Most clients send
 * everything before they read the response; closing the connection earlier would lose the response.
 * Beyond the limits it is closed nevertheless.
 */
export function discardBody(request: IncomingMessage, done: () => void): void {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), MOST_MILLISECONDS).unref()
  let left = MOST_BYTES
  const onEnd = (): void => {
    clearTimeout(timer)
    done()
  }
  request.removeAllListeners('data')
  request.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  request.once('end', onEnd).once('close', () => clearTimeout(timer))
  request.on('error', () => undefined)
  request.resume()
}

import type { Socket } from 'node:net'

/** A longer piece is not worth its copy. */
const MOST_JOINED = 16 * 1024

type Piece = string | Buffer

function join(pieces: readonly Piece[]): Buffer {
  const sizes = pieces.map((piece) => piece.length)
  const whole = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0))
  let place = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') whole.write(piece, place, 'latin1')
    else piece.copy(whole, place)
    place += piece.length
  }
  return whole
}

/**
 * Has the head and the short body of a request, which undici writes one after the other between
 * `cork` and `uncork`, leave in one write: Node keeps a list and several objects for each piece of
 * a corked socket, which costs more than the copy.
 */
export function joinWrites(socket: Socket): void {
  const cork = socket.cork.bind(socket)
  const uncork = socket.uncork.bind(socket)
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  let pieces: Piece[] | null = null

  /** From here on the socket itself holds what is written. */
  function giveUp(): void {
    const held = pieces!
    pieces = null
    cork()
    for (const piece of held) write(piece, typeof piece === 'string' ? 'latin1' : undefined)
  }

  socket.cork = () => {
    if (pieces === null && socket.writableCorked === 0 && socket.writableLength === 0) pieces = []
    else cork()
  }
  socket.write = (...given: unknown[]): boolean => {
    if (pieces === null) return write(...given)
    const [piece, encoding] = given
    const isText = typeof piece === 'string' && encoding === 'latin1'
    const fits = isText || (Buffer.isBuffer(piece) && piece.length <= MOST_JOINED)
    if (fits && given.length <= 2) {
      pieces.push(piece as Piece)
      return true
    }
    giveUp()
    return write(...given)
  }
  socket.uncork = () => {
    if (pieces === null) return uncork()
    const held = pieces
    pieces = null
    if (held.length === 1 && typeof held[0] === 'string') write(held[0], 'latin1')
    else if (held.length > 0) write(join(held))
  }
}

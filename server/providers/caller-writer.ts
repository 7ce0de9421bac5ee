import type { ServerResponse } from 'node:http'
import type { OutgoingReply } from '../lib/outgoing.ts'

/** A reader that takes nothing for this long is dropped. */
const SLOW_READER_MILLISECONDS = 60_000
const LARGE_PIECE = 256 * 1024

/**
 * Writes bytes to a caller; holds the upstream back for a slow one and drops one that takes nothing
 * for a minute.
 */
export function createCallerWriter(response: ServerResponse, reply: OutgoingReply) {
  let pending: Buffer[] = []
  let slow: NodeJS.Timeout | undefined

  /** What waits, small pieces as one; copying a large one would cost more than writing it alone. */
  const take = (): Buffer[] => {
    const pieces = pending
    pending = []
    return pieces.length === 1 || pieces.some(({ length }) => length > LARGE_PIECE)
      ? pieces
      : [Buffer.concat(pieces)]
  }

  /** Writes all of it; false when the caller is slow. */
  function writeAll(pieces: readonly Buffer[]): boolean {
    if (pieces.length === 1) return response.write(pieces[0]!)
    response.cork()
    const isTaken = pieces.map((piece) => response.write(piece)).at(-1) === true
    response.uncork()
    return isTaken
  }

  const onDrain = (): void => {
    clearTimeout(slow)
    reply.resume()
  }

  function flush(): void {
    if (pending.length === 0 || response.destroyed || writeAll(take())) return
    reply.pause()
    clearTimeout(slow)
    slow = setTimeout(() => response.destroy(), SLOW_READER_MILLISECONDS).unref()
  }

  response.on('drain', onDrain)
  return {
    isEmpty: () => pending.length === 0,
    /**
     * What one read of the upstream brought is written together, still in the same turn of the
     * event loop.
     */
    write(bytes: Buffer): void {
      if (bytes.length === 0) return
      if (pending.push(bytes) === 1) queueMicrotask(flush)
    },
    end(last: Buffer | string): void {
      clearTimeout(slow)
      response.off('drain', onDrain)
      if (last.length > 0) pending.push(typeof last === 'string' ? Buffer.from(last) : last)
      if (response.destroyed) return
      const pieces = take()
      const end = pieces.pop()!
      if (pieces.length > 0) writeAll(pieces)
      response.end(end)
    },
  }
}

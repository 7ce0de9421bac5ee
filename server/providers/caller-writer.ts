import type { ServerResponse } from 'node:http'
import type { OutgoingReply } from '../lib/outgoing.ts'

/** A reader that takes nothing for this long is dropped. */
const SLOW_READER_MILLISECONDS = 60_000

/**
 * Writes bytes to a caller; holds the upstream back for a slow one and drops one that takes nothing
 * for a minute.
 */
export function createCallerWriter(response: ServerResponse, reply: OutgoingReply) {
  let pending: Buffer[] = []
  let slow: NodeJS.Timeout | undefined

  const take = (): Buffer => {
    const bytes = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
    pending = []
    return bytes
  }

  const onDrain = (): void => {
    clearTimeout(slow)
    reply.resume()
  }

  function flush(): void {
    if (pending.length === 0 || response.destroyed || response.write(take())) return
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
      if (!response.destroyed) response.end(take())
    },
  }
}

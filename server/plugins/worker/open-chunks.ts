import type { CallBook, CallListeners } from './call-book.ts'
import { toFailure } from './faults.ts'
import type { Message } from './frames.ts'

/**
 * A stream session: chunks are returned in the order they were sent. Fails when the filters have
 * ended.
 */
export interface ChunkSession {
  send(chunk: unknown): Promise<unknown>
  end(): void
  /** Resolves when the session has ended, for any reason. */
  readonly ended: Promise<void>
}

interface Waiting {
  readonly resolve: (chunk: unknown) => void
  readonly reject: (error: Error) => void
}

const END_GRACE_MILLISECONDS = 5_000

export interface ChunkOptions {
  readonly plugin: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly listeners: CallListeners
  /** Aborting cancels; if a plugin does not respond, its worker is ended. */
  readonly signal?: AbortSignal
}

/** Services that a session needs from its worker. */
export interface ChunkControl {
  readonly book: CallBook
  readonly send: (message: Message) => void
  readonly cancel: (id: number, plugin: string) => void
}

/** Opens the stream hooks of some filters (PROTOCOL.md, Stream hooks). */
export function openChunks(
  { book, send, cancel }: ChunkControl,
  { plugin, fields, listeners, signal }: ChunkOptions,
): ChunkSession {
  const waiting: Waiting[] = []
  let count = 0
  let failure: Error | null = null
  const { promise: ended, resolve: announceEnd } = Promise.withResolvers<void>()
  const abort = (): void => cancel(id, plugin)
  const { id, entry } = book.add(plugin, listeners, (outcome) => {
    signal?.removeEventListener('abort', abort)
    failure = outcome instanceof Error ? outcome : new Error('The filters ended before the answer.')
    for (const { reject } of waiting.splice(0)) reject(failure)
    announceEnd()
  })
  entry.onChunks = (message) => {
    const chunks = (Array.isArray(message['e']) ? (message['e'] as unknown[]) : []).slice(
      0,
      waiting.length,
    )
    for (const chunk of chunks) waiting.shift()!.resolve(chunk)
    // Each filter can fail once on each chunk; further failures reported by a worker are forged.
    const mostFailures = chunks.length * (listeners.members?.size ?? 1)
    for (const failed of (Array.isArray(message['x']) ? (message['x'] as unknown[]) : []).slice(
      0,
      mostFailures,
    )) {
      if (!Array.isArray(failed)) continue
      const [, name, error] = failed as unknown[]
      const failing = listeners.members?.get(String(name)) ?? listeners
      failing.onChunkFailed?.(toFailure(error))
    }
  }
  signal?.addEventListener('abort', abort, { once: true })
  send({ t: 'call', ...fields, answer: entry.isOfAnswer, id })
  return {
    send: (chunk) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure)
        waiting.push({ resolve, reject })
        send({ t: 'c', id, n: (count += 1), e: [chunk] })
      }),
    end() {
      send({ t: 'c', id, end: true })
      // Nothing is left to do. A session that stayed open would keep the permissions of its call.
      setTimeout(() => book.get(id) && cancel(id, plugin), END_GRACE_MILLISECONDS).unref()
    },
    ended,
  }
}

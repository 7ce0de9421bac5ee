import type { Logger } from '../../lib/logger.ts'
import type { CompleteVersion, IndexWriter, JobHandlers } from '../document-index.ts'
import type { IndexingPlan, IndexingSource } from '../indexing/messages.ts'
import { runJob } from '../indexing/run-job.ts'
import type { VersionStore } from '../indexing/version-store.ts'
import type { Storage } from '../../storage/index.ts'
import type { IndexStore } from './index-store.ts'
import type { TextThread } from './text-thread.ts'

/**
 * Number of passages written in one transaction, because each of them is added to the vector index.
 */
const WRITTEN_TOGETHER = 128
/** Number of passages removed in one transaction. */
const REMOVED_TOGETHER = 500
const RETRY_MILLISECONDS = 60_000

async function embedChecked(
  embed: JobHandlers['embed'],
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const vectors = await embed(texts)
  if (vectors.length !== texts.length)
    throw new Error('The embedding engine answered with too few vectors.')
  return vectors
}

/** Rejects when the signal aborts the wait. */
async function unlessStopped<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Writes the index in a PostgreSQL database. Texts are split in a thread, and the database does the
 * slow work.
 */
export class PostgresWriter implements IndexWriter {
  readonly #storage: Storage
  readonly #store: IndexStore
  readonly #thread: TextThread
  readonly #log: Logger
  /** Versions being written, or waiting to become current. */
  readonly #kept = new Set<number>()
  readonly #closing = new AbortController()
  #working: Promise<unknown> = Promise.resolve()
  #purging: Promise<void> | null = null
  #isPurgeWanted = false
  #retry: NodeJS.Timeout | undefined

  constructor(storage: Storage, store: IndexStore, thread: TextThread, log: Logger) {
    this.#storage = storage
    this.#store = store
    this.#thread = thread
    this.#log = log
  }

  async run(
    source: IndexingSource,
    plan: IndexingPlan,
    handlers: JobHandlers,
    outer: AbortSignal,
  ): Promise<CompleteVersion> {
    const signal = AbortSignal.any([outer, this.#closing.signal])
    signal.throwIfAborted()
    let seq: number | null = null
    const settle = (): void => {
      if (seq !== null) this.#kept.delete(seq)
      this.purge()
    }
    const keep = (reserved: number): void => {
      seq = reserved
      this.#kept.add(reserved)
    }
    const work = this.#makeVersion(source, plan, handlers, { signal, keep })
    this.#working = Promise.allSettled([this.#working, work])
    // Work that continues briefly after an abort still writes to its version.
    work.then(() => signal.aborted && settle(), settle)
    return { ...(await unlessStopped(work, signal)), settle }
  }

  purge(): void {
    // The caller's transaction does not wait for the purge, which has its own transactions.
    this.#storage.afterCommit(() => {
      if (this.#closing.signal.aborted) return
      clearTimeout(this.#retry)
      this.#isPurgeWanted = true
      this.#purging ??= this.#purgeAll().finally(() => (this.#purging = null))
    })
  }

  async rebuildWords(): Promise<void> {
    for (let last: number | null = 0; last !== null;) {
      this.#closing.signal.throwIfAborted()
      const from: number = last
      last = await this.#storage.transaction(() => this.#store.writeWords(from, WRITTEN_TOGETHER))
    }
    await this.#store.clearStrayWords()
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry)
    this.#closing.abort(new Error('The index was closed.'))
    await Promise.allSettled([this.#working, this.#purging])
    await this.#thread.close()
  }

  async #makeVersion(
    source: IndexingSource,
    plan: IndexingPlan,
    { embed, onProgress }: JobHandlers,
    { signal, keep }: { signal: AbortSignal; keep: (seq: number) => void },
  ) {
    const result = await runJob(source, plan, {
      versions: this.#versions(signal, keep),
      vectorProblem: null,
      split: (content) => this.#thread.split(content, plan, signal),
      embed: (texts) => embedChecked(embed, texts),
      onProgress: (done, total) => {
        if (!signal.aborted) onProgress(done, total)
      },
    })
    if (!result) throw new Error('The document no longer exists.')
    return result
  }

  #versions(signal: AbortSignal, keep: (seq: number) => void): VersionStore {
    const storage = this.#storage
    const store = this.#store
    return {
      read: (id) => store.read(id),
      async begin(row, making) {
        const begun = await store.reserve(making.chunks)
        signal.throwIfAborted()
        // Before it is visible to others, which would mistake it for a leftover.
        keep(begun.seq)
        await store.begin(row, making, begun)
        return begun
      },
      openVectors: (seq, dimensions) =>
        storage.transaction(() => store.openVectors(seq, dimensions)),
      async write(version, firstChunk, chunks) {
        for (let from = 0; from < chunks.length; from += WRITTEN_TOGETHER) {
          signal.throwIfAborted()
          const some = chunks.slice(from, from + WRITTEN_TOGETHER)
          await storage.transaction(() => store.write(version, firstChunk + from, some))
        }
      },
      discard: (seq) => store.discard(seq),
    }
  }

  /**
   * Requests made meanwhile may concern versions that were already passed, so another round
   * follows.
   */
  async #purgeAll(): Promise<void> {
    try {
      while (this.#isPurgeWanted) {
        this.#isPurgeWanted = false
        for (let goesOn = true; goesOn && !this.#closing.signal.aborted;)
          goesOn = await this.#storage.transaction(() =>
            this.#store.purge(this.#kept, REMOVED_TOGETHER),
          )
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#log.error({ error }, 'leftovers of documents could not be removed yet')
      this.#retry = setTimeout(() => this.purge(), RETRY_MILLISECONDS).unref()
    }
  }
}

import type { Logger } from '../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../lib/turns.ts'
import type { Retrieval } from '../retrieval/index.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import type { Storage } from '../storage/index.ts'
import type { LeftoverStore } from './store.ts'

interface LeftoversOptions {
  readonly storage: Pick<Storage, 'transaction' | 'isOpen'>
  readonly store: LeftoverStore
  readonly blobs: Pick<Blobs, 'remove' | 'removedAtOnce' | 'sweep'>
  readonly retrieval: Pick<Retrieval, 'forget' | 'forgetAll'>
  readonly onDocument: (fileId: string) => Promise<void>
  readonly log: Logger
}

/** Documents forgotten in one transaction. */
const DOCUMENTS = 50
/** How often it is looked for what others left behind, and what could not be deleted yet. */
const WATCH_MILLISECONDS = 5000

/**
 * Removes what deleted files left outside their tables. What a crash interrupts is done at the next
 * start.
 */
export class Leftovers {
  readonly #options: LeftoversOptions
  #first: Promise<void> = Promise.resolve()
  #forgetting: Promise<void> | undefined
  #deleting: Promise<void> | undefined
  /** A store that is away would be told of at every look. */
  #hasToldBlobs = false
  #watch: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(options: LeftoversOptions) {
    this.#options = options
  }

  /**
   * The passages of a few files go at once, those of many in turns with others, bytes a little
   * later.
   */
  async clear(): Promise<void> {
    // One after the other, or two would find the same documents and tell of each twice.
    this.#first = this.#first.then(() => this.#begin())
    await this.#first
    this.#deleting ??= this.#clearBlobs()
  }

  /** Looks regularly where others may leave something behind, or deleting may fail for a while. */
  watch(): void {
    if (this.#options.blobs.sweep)
      this.#watch ??= setInterval(() => void this.#look(), WATCH_MILLISECONDS).unref()
  }

  /** Ends the look-out; settles when what is being deleted is gone. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    await this.#looking
    await Promise.all([this.#forgetting, this.#deleting])
  }

  async #look(): Promise<void> {
    if (this.#looking || !this.#options.storage.isOpen) return
    this.#looking = this.#sweep().finally(() => (this.#looking = undefined))
    await this.#looking
  }

  async #sweep(): Promise<void> {
    try {
      await this.#options.blobs.sweep?.()
      await this.clear()
    } catch (error) {
      this.#options.log.error({ error }, 'it could not be looked for what is left of uploads')
    }
  }

  /** Forgets a few documents, and begins with the rest where there are more. */
  async #begin(): Promise<void> {
    if (this.#forgetting) return
    try {
      if (!(await this.#clearSomeDocuments())) return
      this.#forgetting = this.#clearDocuments()
        .catch((error: unknown) => this.#tellDocuments(error))
        .finally(() => {
          this.#forgetting = undefined
        })
    } catch (error) {
      this.#tellDocuments(error)
    }
  }

  /** Works for one slice; false when nothing is left. */
  async #clearSomeDocuments(): Promise<boolean> {
    const { store, storage, retrieval, onDocument } = this.#options
    const end = performance.now() + SLICE_MILLISECONDS
    while (performance.now() < end) {
      const ids = await store.list('document', DOCUMENTS)
      await storage.transaction(async () => {
        await retrieval.forgetAll(ids)
        await store.forget('document', ids)
      })
      for (const id of ids) await onDocument(id)
      if (ids.length < DOCUMENTS) return false
    }
    return true
  }

  async #clearDocuments(): Promise<void> {
    for (;;) {
      await nextTurn()
      if (!this.#options.storage.isOpen || !(await this.#clearSomeDocuments())) return
    }
  }

  /**
   * Whoever deletes more meanwhile relies on it, so it counts as ended in the very moment it finds
   * nothing left.
   */
  async #clearBlobs(): Promise<void> {
    const { store, blobs, storage, log } = this.#options
    await nextTurn()
    try {
      for (
        let ids = await store.list('blob', blobs.removedAtOnce);
        ids.length > 0;
        ids = await store.list('blob', blobs.removedAtOnce)
      ) {
        const results = await Promise.allSettled(ids.map((id) => blobs.remove(id)))
        if (!storage.isOpen) return
        await store.forget(
          'blob',
          ids.filter((_, index) => results[index]!.status === 'fulfilled'),
        )
        const failed = results.find((result) => result.status === 'rejected')
        if (failed) throw failed.reason
      }
      this.#hasToldBlobs = false
    } catch (error) {
      if (!this.#hasToldBlobs)
        log.error({ error }, 'the bytes of deleted files could not be deleted yet')
      this.#hasToldBlobs = true
    } finally {
      this.#deleting = undefined
    }
  }

  #tellDocuments(error: unknown): void {
    this.#options.log.error({ error }, 'the passages of deleted files could not be deleted yet')
  }
}

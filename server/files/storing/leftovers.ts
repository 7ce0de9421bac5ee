import type { Logger } from '../../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { Retrieval } from '../../retrieval/index.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Storage } from '../../storage/index.ts'
import type { LeftoverStore } from '../store.ts'

interface LeftoversOptions {
  readonly storage: Storage
  readonly store: LeftoverStore
  readonly blobs: Blobs
  readonly retrieval: Pick<Retrieval, 'forget' | 'forgetAll'>
  readonly onDocument: (fileId: string) => Promise<void>
  readonly log: Logger
}

/** Number of documents removed from the index in one transaction. */
const DOCUMENTS = 50
/** Interval between checks for leftovers of other gateways and for failed deletions. */
const WATCH_MILLISECONDS = 5000

/**
 * Removes what deleted files left outside their tables. Work interrupted by a crash is completed at
 * the next start.
 */
export class Leftovers {
  readonly #options: LeftoversOptions
  #first: Promise<void> = Promise.resolve()
  #forgetting: Promise<void> | undefined
  #deleting: Promise<void> | undefined
  /** Prevents logging an unavailable store at every check. */
  #hasToldBlobs = false
  #watch: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(options: LeftoversOptions) {
    this.#options = options
  }

  /**
   * Removes the passages of a few files at once, those of many in slices, and bytes a little later.
   */
  async clear(): Promise<void> {
    // One after the other, otherwise two calls would find the same documents and report each twice.
    this.#first = this.#first.then(() => this.#begin())
    await this.#first
    this.#deleting ??= this.#clearBlobs()
  }

  /** Checks regularly if others may leave something behind or a deletion may fail for a while. */
  watch(): void {
    if (this.#options.blobs.sweep)
      this.#watch ??= setInterval(() => void this.#look(), WATCH_MILLISECONDS).unref()
  }

  /** Stops the checks; resolves when the deletions in progress have ended. */
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
      this.#options.log.error({ error }, 'leftovers of uploads could not be read')
    }
  }

  /** Removes a few documents, and starts removing the rest if there are more. */
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

  /** Works for one time slice; resolves with false if nothing is left. */
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
   * Must count as ended in the same moment in which it finds nothing left, because concurrent
   * deletions rely on it.
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

import type { Logger } from '../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../lib/turns.ts'
import type { Retrieval } from '../retrieval/index.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Storage } from '../storage/index.ts'
import type { LeftoverStore } from './store.ts'

interface LeftoversOptions {
  readonly storage: Pick<Storage, 'transaction' | 'isOpen'>
  readonly store: LeftoverStore
  readonly blobs: Pick<Blobs, 'remove'>
  readonly retrieval: Pick<Retrieval, 'forget' | 'forgetAll'>
  readonly onDocument: (fileId: string) => Promise<void>
  readonly log: Logger
}

/** Documents forgotten in one transaction, and files deleted from the disk at once. */
const DOCUMENTS = 50
const BLOBS = 8

/**
 * Removes what deleted files left outside their tables. What a crash interrupts is done at the next
 * start.
 */
export class Leftovers {
  readonly #options: LeftoversOptions
  #first: Promise<void> = Promise.resolve()
  #forgetting: Promise<void> | undefined
  #deleting: Promise<void> | undefined

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

  /** Settles when what is being deleted is gone. */
  async settled(): Promise<void> {
    await Promise.all([this.#forgetting, this.#deleting])
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
        let ids = await store.list('blob', BLOBS);
        ids.length > 0;
        ids = await store.list('blob', BLOBS)
      ) {
        await Promise.all(ids.map((id) => blobs.remove(id)))
        if (!storage.isOpen) return
        await store.forget('blob', ids)
      }
    } catch (error) {
      log.error({ error }, 'the bytes of deleted files could not be deleted yet')
    } finally {
      this.#deleting = undefined
    }
  }

  #tellDocuments(error: unknown): void {
    this.#options.log.error({ error }, 'the passages of deleted files could not be deleted yet')
  }
}

import type { Logger } from '../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../lib/turns.ts'
import type { Retrieval } from '../retrieval/index.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Storage } from '../storage/index.ts'
import type { LeftoverStore } from './store.ts'

/**
 * Removes what deleted files left outside their tables. What a crash interrupts is done at the next
 * start.
 */
export interface Leftovers {
  /**
   * The passages of a few files go at once, those of many in turns with others, bytes a little
   * later.
   */
  clear(): void
  /** Settles when what is being deleted is gone. */
  settled(): Promise<void>
}

/** Documents forgotten in one transaction, and files deleted from the disk at once. */
const DOCUMENTS = 50
const BLOBS = 8

export function createLeftovers(options: {
  readonly storage: Pick<Storage, 'transaction' | 'sqlite'>
  readonly store: LeftoverStore
  readonly blobs: Pick<Blobs, 'remove'>
  readonly retrieval: Pick<Retrieval, 'forget' | 'forgetAll'>
  readonly onDocument: (fileId: string) => void
  readonly log: Logger
}): Leftovers {
  const { storage, store, blobs, retrieval, onDocument, log } = options
  let forgetting: Promise<void> | undefined
  let deleting: Promise<void> | undefined

  /** Works for one slice; false when nothing is left. */
  function clearSomeDocuments(): boolean {
    const end = performance.now() + SLICE_MILLISECONDS
    while (performance.now() < end) {
      const ids = store.list('document', DOCUMENTS)
      storage.transaction(() => {
        retrieval.forgetAll(ids)
        store.forget('document', ids)
      })
      ids.forEach(onDocument)
      if (ids.length < DOCUMENTS) return false
    }
    return true
  }

  async function clearDocuments(): Promise<void> {
    for (;;) {
      await nextTurn()
      if (!storage.sqlite.open || !clearSomeDocuments()) return
    }
  }

  /**
   * Whoever deletes more meanwhile relies on it, so it counts as ended in the very moment it finds
   * nothing left.
   */
  async function clearBlobs(): Promise<void> {
    await nextTurn()
    try {
      for (let ids = store.list('blob', BLOBS); ids.length > 0; ids = store.list('blob', BLOBS)) {
        await Promise.all(ids.map((id) => blobs.remove(id)))
        if (!storage.sqlite.open) return
        store.forget('blob', ids)
      }
    } catch (error) {
      log.error({ error }, 'the bytes of deleted files could not be deleted yet')
    } finally {
      deleting = undefined
    }
  }

  const tellDocuments = (error: unknown): void =>
    log.error({ error }, 'the passages of deleted files could not be deleted yet')
  return {
    clear() {
      try {
        if (!forgetting && clearSomeDocuments()) {
          forgetting = clearDocuments()
            .catch(tellDocuments)
            .finally(() => {
              forgetting = undefined
            })
        }
      } catch (error) {
        tellDocuments(error)
      }
      deleting ??= clearBlobs()
    },
    settled: async () => {
      await Promise.all([forgetting, deleting])
    },
  }
}

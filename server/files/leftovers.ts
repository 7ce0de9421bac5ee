import type { Logger } from '../lib/logger.ts'
import { nextTurn } from '../lib/turns.ts'
import type { Retrieval } from '../retrieval/index.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { LeftoverStore } from './store.ts'

/** Removes what deleted files left outside their tables. What a crash interrupts is done at the next start. */
export interface Leftovers {
  /** Passages go at once, bytes a little later. */
  clear(): void
  /** Settles when the bytes that are being deleted are gone. */
  settled(): Promise<void>
}

const STEP = 100

export function createLeftovers(options: {
  readonly store: LeftoverStore
  readonly blobs: Pick<Blobs, 'remove'>
  readonly retrieval: Pick<Retrieval, 'forget'>
  readonly onDocument: (fileId: string) => void
  readonly log: Logger
}): Leftovers {
  const { store, blobs, retrieval, onDocument, log } = options
  let deleting: Promise<void> | undefined

  function clearDocuments(): void {
    for (;;) {
      const ids = store.list('document', STEP)
      for (const id of ids) {
        retrieval.forget(id)
        store.forget('document', id)
        onDocument(id)
      }
      if (ids.length < STEP) return
    }
  }

  /** Whoever deletes more meanwhile relies on it, so it counts as ended in the very moment it finds nothing left. */
  async function clearBlobs(): Promise<void> {
    await nextTurn()
    try {
      for (let ids = store.list('blob', STEP); ids.length > 0; ids = store.list('blob', STEP)) {
        for (const id of ids) {
          await blobs.remove(id)
          store.forget('blob', id)
        }
      }
    } catch (error) {
      log.error({ error }, 'the bytes of deleted files could not be deleted yet')
    } finally {
      deleting = undefined
    }
  }

  return {
    clear() {
      try {
        clearDocuments()
      } catch (error) {
        log.error({ error }, 'the passages of deleted files could not be deleted yet')
      }
      deleting ??= clearBlobs()
    },
    settled: () => deleting ?? Promise.resolve(),
  }
}

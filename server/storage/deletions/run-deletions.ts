import type Sqlite from 'better-sqlite3'
import { Eraser, type PendingDeletion } from './eraser.ts'
import { WordIndex, ERASED_INDEXES } from './word-indexes.ts'

/** Progress of a deletion. */
export interface DeletionProgress {
  readonly id: number
  /** Number of rows when its removal started. */
  readonly total: number
  readonly left: number
}

/** Services that the removal of rows needs from its thread. */
export interface DeletionRun {
  readonly sqlite: Sqlite.Database
  /**
   * Returns true for deletions to skip for now: their data visible to other users is still being
   * removed.
   */
  readonly isHeld: (id: number) => boolean
  /** Lets pending messages be received. */
  readonly pause: () => Promise<void>
  /** Runs a transaction when no other writer is waiting. */
  readonly write: <Result>(work: () => Result) => Result | Promise<Result>
  readonly isStopped: () => boolean
  readonly onProgress: (progress: DeletionProgress) => void
  readonly onErased: (deletion: PendingDeletion) => void
}

/** Maximum time for which one transaction may block other writers. */
const HOLD_MILLISECONDS = 10
const MOST_PAGES = 64
/**
 * Word indexes of rows erased here, of rows deleted elsewhere, and the index of passages, whose
 * rows another thread removes.
 */
const ALL_INDEXES = [...ERASED_INDEXES, 'note_search', 'retrieval_words'] as const

/**
 * Removes the rows of all deletions in short transactions, then tidies the indexes. If interrupted,
 * the next run continues.
 */
export async function runDeletions({
  sqlite,
  isHeld,
  pause,
  write,
  isStopped,
  onProgress,
  onErased,
}: DeletionRun): Promise<void> {
  const eraser = new Eraser(sqlite)
  const indexes = new Map(ALL_INDEXES.map((name) => [name, new WordIndex(sqlite, name)]))
  const erased = ERASED_INDEXES.map((name) => indexes.get(name)!)
  const atomically = sqlite.transaction((work: () => unknown) => work())
  const inTransaction = async <Result>(work: () => Result): Promise<Result> =>
    await write(() => atomically.immediate(work) as Result)

  /** Repeats a step of some pages, in separate transactions. */
  async function inSteps(step: (pages: number) => boolean): Promise<void> {
    let pages = 1
    for (let goesOn = true; goesOn && !isStopped();) {
      await pause()
      const begun = performance.now()
      goesOn = await inTransaction(() => step(pages))
      const isShort = performance.now() - begun < HOLD_MILLISECONDS / 2
      pages = isShort ? Math.min(MOST_PAGES, pages * 2) : Math.max(1, pages >> 1)
    }
  }

  async function erase(deletion: PendingDeletion): Promise<void> {
    const total = eraser.count(deletion)
    let left = total
    onProgress({ id: deletion.id, total, left })
    for (let isDone = false; !isDone && !isStopped();) {
      await pause()
      const slice = await inTransaction(() => eraser.erase(deletion, HOLD_MILLISECONDS))
      isDone = slice.isDone
      left = Math.max(0, left - slice.erased)
      onProgress({ id: deletion.id, total, left })
      for (const index of erased) {
        index.noteErased(slice.erased)
        if (index.isDue()) await inSteps((pages) => index.thinSome(pages))
      }
    }
    if (!isStopped()) onErased(deletion)
  }

  await inTransaction(() => erased.forEach((index) => index.rest()))
  try {
    for (;;) {
      const next = eraser.pending().find(({ id }) => !isHeld(id))
      if (!next || isStopped()) break
      await erase(next)
    }
    for (const index of indexes.values()) await inSteps((pages) => index.tidySome(pages))
  } finally {
    if (sqlite.open) await inTransaction(() => erased.forEach((index) => index.mergeAgain()))
  }
}

import type { DeletionKind } from '../tables/deletions.ts'
import type { PendingDeletion } from './eraser.ts'

/** A deletion whose rows are still being removed or, if none is left, its words in the indexes. */
export interface DeletionState extends PendingDeletion {
  readonly title: string
  /** Owner of the removed data; null if it belongs to all users. */
  readonly owner: string | null
  readonly created_at: number
  /** Number of remaining rows, and of rows at the start; null until they are counted. */
  readonly left: number | null
  readonly total: number | null
}

/**
 * Deletions that may be large. A deletion is recorded in the transaction that hides its data from
 * all users; then its rows are removed in short transactions, and if the process ends, the next
 * start continues.
 */
export interface Deletions {
  /**
   * Records a deletion, within the transaction that hides it from its owner, and removes as much as
   * fits into one slice. Resolves with its id.
   */
  begin(kind: DeletionKind, subject: string, title?: string): Promise<number>
  /** Settles when other users can no longer see anything of a deletion. */
  hidden(id: number): Promise<void>
  list(): Promise<DeletionState[]>
  /**
   * Adds a listener that is called repeatedly while rows of a deletion are removed, and once more
   * when none is left.
   */
  onErased(listener: (deletion: PendingDeletion) => Promise<void>): void
  /** Continues the deletions left by the last run. */
  resume(): void
  /** Tidies the word indexes that rows were deleted from, after the pending removals. */
  tidy(): Promise<void>
  /** Settles when nothing is left to do. */
  settled(): Promise<void>
  /** Ends after the current transaction; the rest continues at the next start. */
  close(): Promise<void>
}

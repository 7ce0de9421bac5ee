import type { DeletionKind } from '../tables/deletions.ts'
import type { PendingDeletion } from './eraser.ts'

/**
 * A deletion whose rows are still being removed, or, with none left, its words from the indexes.
 */
export interface DeletionState extends PendingDeletion {
  readonly title: string
  /** Whose things are removed; null when they are those of everybody. */
  readonly owner: string | null
  readonly created_at: number
  /** Rows still there, and rows there were; null until they are counted. */
  readonly left: number | null
  readonly total: number | null
}

/**
 * Deletions that may be large. What is deleted is written down in the transaction that takes it away
 * from everybody; then its rows are removed in short transactions, and whatever ends the process,
 * the next start goes on.
 */
export interface Deletions {
  /**
   * Writes a deletion down, within the transaction that hides it from its owner, and removes as
   * much as fits into one slice. Answers its id.
   */
  begin(kind: DeletionKind, subject: string, title?: string): Promise<number>
  /** Settles when nobody else can see anything of a deletion. */
  hidden(id: number): Promise<void>
  list(): Promise<DeletionState[]>
  /**
   * Called again and again while rows of a deletion are removed, and once more when none is left.
   */
  onErased(listener: (deletion: PendingDeletion) => Promise<void>): void
  /** Goes on with what the last run left. */
  resume(): void
  /**
   * Tidies the indexes of words that rows were deleted from, after whatever is still to be removed.
   */
  tidy(): Promise<void>
  /** Settles when nothing is left to do. */
  settled(): Promise<void>
  /** Ends after the transaction under way; what is left goes on at the next start. */
  close(): Promise<void>
}

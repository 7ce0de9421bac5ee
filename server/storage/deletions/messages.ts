import type { WriteTurns } from '../write-turns.ts'
import type { PendingDeletion } from './eraser.ts'
import type { DeletionProgress } from './run-deletions.ts'

/** What the thread that removes rows starts with. */
export interface DeletionThread {
  readonly database: string
  readonly writeTurns: WriteTurns
  /** Its only value is 1 once the thread has to end. */
  readonly stop: Int32Array<SharedArrayBuffer>
  /** Deletions to leave alone. */
  readonly held: readonly number[]
}

/** From the thread that removes rows. */
export type DeletionReport =
  | { readonly type: 'progress'; readonly progress: DeletionProgress }
  | { readonly type: 'erased'; readonly deletion: PendingDeletion }

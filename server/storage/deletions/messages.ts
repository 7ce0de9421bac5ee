import type { WriteTurns } from '../sqlite/write-turns.ts'
import type { PendingDeletion } from './eraser.ts'
import type { DeletionProgress } from './run-deletions.ts'

/** Parameters of the thread that removes rows. */
export interface DeletionThread {
  readonly database: string
  readonly writeTurns: WriteTurns
  /** Its only value is 1 once the thread must end. */
  readonly stop: Int32Array<SharedArrayBuffer>
  /** Ids of deletions to skip. */
  readonly held: readonly number[]
}

/** Report of the thread that removes rows. */
export type DeletionReport =
  | { readonly type: 'progress'; readonly progress: DeletionProgress }
  | { readonly type: 'erased'; readonly deletion: PendingDeletion }

import type { WriteTurns } from '../sqlite/write-turns.ts'

/** Parameters of the thread that empties the log. */
export interface CheckpointThread {
  readonly database: string
  readonly writeTurns: WriteTurns
  /** Its only value grows with every request to check the log; `STOPPED` ends the thread. */
  readonly requests: Int32Array<SharedArrayBuffer>
}

export const STOPPED = -1

/** Fill level of the log, in pages. */
export interface LogState {
  /** Pages in the log. */
  readonly log: number
  /** Pages that are already in the database file. */
  readonly checkpointed: number
}

/** SQLite's default: number of pages in the log that trigger a checkpoint. */
export const CHECKPOINT_PAGES = 1000

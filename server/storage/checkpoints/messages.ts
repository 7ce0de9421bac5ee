import type { WriteTurns } from '../write-turns.ts'

/** What the thread that empties the log starts with. */
export interface CheckpointThread {
  readonly database: string
  readonly writeTurns: WriteTurns
  /** Its only value grows with every request to look at the log; `STOPPED` ends the thread. */
  readonly requests: Int32Array<SharedArrayBuffer>
}

export const STOPPED = -1

/** How full the log is, in pages. */
export interface LogState {
  /** Pages in the log. */
  readonly log: number
  /** Those of them that are in the database file already. */
  readonly checkpointed: number
}

/** SQLite's own default: a log of so many pages is worth a checkpoint. */
export const CHECKPOINT_PAGES = 1000

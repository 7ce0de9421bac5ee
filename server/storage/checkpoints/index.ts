import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import type { Logger } from '../../lib/logger.ts'
import { workerFile } from '../../config/worker-file.ts'
import { BACKGROUND, leaveTurn, type WriteTurns } from '../sqlite/write-turns.ts'
import { CHECKPOINT_PAGES, STOPPED, type CheckpointThread, type LogState } from './messages.ts'

/** Dependencies of checkpoints. */
export interface CheckpointsDependencies {
  readonly sqlite: Sqlite.Database
  readonly writeTurns: WriteTurns
  readonly log?: Logger
}

/** Writes within this time share one check of the log. */
const LOOK_MILLISECONDS = 50
/**
 * A log of this many pages (64 MB) is emptied by the next commit, in case the thread cannot keep
 * up.
 */
const LARGEST_LOG_PAGES = 16_384

/**
 * Moves committed pages from the write-ahead log to the database file, in a dedicated thread: at a
 * commit in this one it would block every request while the disk is busy. The thread starts with
 * the first full log and ends when it is idle for a while. Acknowledged data is synced in the log,
 * so nothing depends on the time of this work.
 */
export class Checkpoints {
  readonly #sqlite
  readonly #writeTurns
  readonly #log
  readonly #readState: Sqlite.Statement<[], LogState>
  readonly #requests = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #look: NodeJS.Timeout | undefined
  #worker: Worker | null = null

  /** Disables SQLite's own checkpoints, which empty the log within a commit. */
  constructor({ sqlite, writeTurns, log }: CheckpointsDependencies) {
    this.#sqlite = sqlite
    this.#writeTurns = writeTurns
    this.#log = log
    sqlite.pragma(`wal_autocheckpoint = ${LARGEST_LOG_PAGES}`)
    this.#readState = sqlite.prepare('pragma wal_checkpoint(noop)')
  }

  /** Must be called after each write. */
  noteWrite(): void {
    this.#look ??= setTimeout(() => this.#wakeWhenFull(), LOOK_MILLISECONDS).unref()
  }

  close(): void {
    clearTimeout(this.#look)
    Atomics.store(this.#requests, 0, STOPPED)
    Atomics.notify(this.#requests, 0)
  }

  #wakeWhenFull(): void {
    this.#look = undefined
    if (!this.#sqlite.open || this.#sqlite.inTransaction) return
    const { log, checkpointed } = this.#readState.get()!
    if (log - checkpointed < CHECKPOINT_PAGES) return
    if (!this.#worker) this.#worker = this.#start()
    Atomics.add(this.#requests, 0, 1)
    Atomics.notify(this.#requests, 0)
  }

  #start(): Worker {
    const workerData: CheckpointThread = {
      database: this.#sqlite.name,
      writeTurns: this.#writeTurns,
      requests: this.#requests,
    }
    const worker = new Worker(workerFile(import.meta.dirname, 'checkpoint-worker'), {
      workerData,
      execArgv: [],
    })
    worker.unref()
    worker.once('error', (error) => {
      // A thread started while the database was closed may not find its file any more.
      if (!this.#sqlite.open) return
      this.#log?.error({ error }, 'the thread that empties the log of the database failed')
      // Commits make checkpoints again, as SQLite does by default.
      this.#sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    })
    worker.once('exit', () => {
      leaveTurn(this.#writeTurns, BACKGROUND.checkpoints)
      this.#worker = null
      // The thread may have ended just when it was requested again.
      if (this.#sqlite.open) this.noteWrite()
    })
    return worker
  }
}

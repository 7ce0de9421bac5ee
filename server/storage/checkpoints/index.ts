import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import type { Logger } from '../../lib/logger.ts'
import { workerFile } from '../ask-worker.ts'
import { BACKGROUND, leaveTurn, type WriteTurns } from '../write-turns.ts'
import { CHECKPOINT_PAGES, STOPPED, type CheckpointThread, type LogState } from './messages.ts'

/** What checkpoints are built from. */
export interface CheckpointsDependencies {
  readonly sqlite: Sqlite.Database
  readonly writeTurns: WriteTurns
  readonly log?: Logger | undefined
}

/** Writes within this time share one look at the log. */
const LOOK_MILLISECONDS = 50
/**
 * A log of so many pages (64 MB) is emptied by whoever commits next, in case the thread cannot keep
 * up.
 */
const LARGEST_LOG_PAGES = 16_384

/**
 * Moves what was committed from the write-ahead log into the database file, in a thread of its own:
 * at a commit in this one it would hold up every request for as long as the disk takes. The thread
 * begins with the first full log and ends when there was nothing to do for a while. What was
 * acknowledged is synced in the log, so nothing depends on when this happens.
 */
export class Checkpoints {
  readonly #sqlite
  readonly #writeTurns
  readonly #log
  readonly #readState: Sqlite.Statement<[], LogState>
  readonly #requests = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #look: NodeJS.Timeout | undefined
  #worker: Worker | null = null

  /** Takes over from SQLite, which empties the log within a commit. */
  constructor({ sqlite, writeTurns, log }: CheckpointsDependencies) {
    this.#sqlite = sqlite
    this.#writeTurns = writeTurns
    this.#log = log
    sqlite.pragma(`wal_autocheckpoint = ${LARGEST_LOG_PAGES}`)
    this.#readState = sqlite.prepare('pragma wal_checkpoint(noop)')
  }

  /** To be called after each write. */
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
    const worker = new Worker(workerFile('checkpoint-worker', 'checkpoints'), {
      workerData,
      execArgv: [],
    })
    worker.unref()
    worker.once('error', (error) => {
      // What was being started as the database was closed may not find its file any more.
      if (!this.#sqlite.open) return
      this.#log?.error({ error }, 'the thread that empties the log of the database failed')
      // Commits do it again as SQLite would.
      this.#sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    })
    worker.once('exit', () => {
      leaveTurn(this.#writeTurns, BACKGROUND.checkpoints)
      this.#worker = null
      // It may have ended just when it was asked again.
      if (this.#sqlite.open) this.noteWrite()
    })
    return worker
  }
}

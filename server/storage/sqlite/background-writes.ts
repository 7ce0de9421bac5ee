import type Sqlite from 'better-sqlite3'
import { CHECKPOINT_PAGES, type LogState } from '../checkpoints/messages.ts'
import { writeInTurn, type BackgroundWriter, type WriteTurns } from './write-turns.ts'

/**
 * Writes of a background thread. Such a thread never pauses, so it empties the log of the database
 * itself before it continues: otherwise the log would grow until a request had to empty it, and
 * every commit would have to search all of it.
 */
export class BackgroundWrites {
  readonly #turns
  readonly #writer
  readonly #look: Sqlite.Statement<[], LogState>
  readonly #move: Sqlite.Statement<[], LogState>

  constructor(sqlite: Sqlite.Database, turns: WriteTurns, writer: BackgroundWriter) {
    this.#turns = turns
    this.#writer = writer
    // An automatic checkpoint at a commit would run within the turn, blocking all other writers.
    sqlite.pragma('wal_autocheckpoint = 0')
    this.#look = sqlite.prepare('pragma wal_checkpoint(noop)')
    this.#move = sqlite.prepare('pragma wal_checkpoint(passive)')
  }

  /** Runs `work`, a transaction, when no other writer is waiting; then empties a full log. */
  run<Result>(work: () => Result): Result {
    const result = writeInTurn(this.#turns, this.#writer, work)
    this.emptyLog()
    return result
  }

  /**
   * Moves the bulk of a full log concurrently with other writers, and the small rest in a turn:
   * only a completely moved log is restarted.
   */
  emptyLog(): void {
    const { log, checkpointed } = this.#look.get()!
    if (log - checkpointed < CHECKPOINT_PAGES) return
    this.#move.get()
    writeInTurn(this.#turns, this.#writer, () => this.#move.get())
  }
}

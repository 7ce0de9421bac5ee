import type Sqlite from 'better-sqlite3'
import { CHECKPOINT_PAGES, type LogState } from './checkpoints/messages.ts'
import { writeInTurn, type BackgroundWriter, type WriteTurns } from './write-turns.ts'

/**
 * What a thread in the background writes. Such a thread never pauses, so it empties the log of the
 * database itself before it writes on: left to others, the log would grow until a request had to
 * empty it, and every commit would look through all of it.
 */
export class BackgroundWrites {
  readonly #turns
  readonly #writer
  readonly #look: Sqlite.Statement<[], LogState>
  readonly #move: Sqlite.Statement<[], LogState>

  constructor(sqlite: Sqlite.Database, turns: WriteTurns, writer: BackgroundWriter) {
    this.#turns = turns
    this.#writer = writer
    // At a commit it would be done within the turn, for which everybody else waits.
    sqlite.pragma('wal_autocheckpoint = 0')
    this.#look = sqlite.prepare('pragma wal_checkpoint(noop)')
    this.#move = sqlite.prepare('pragma wal_checkpoint(passive)')
  }

  /** Runs `work`, a transaction, when nobody else wants to write; then empties a full log. */
  run<Result>(work: () => Result): Result {
    const result = writeInTurn(this.#turns, this.#writer, work)
    this.emptyLog()
    return result
  }

  /**
   * Moves the bulk of a full log beside those who write, and in a turn the little that came
   * meanwhile: only a log that is wholly moved is begun anew.
   */
  emptyLog(): void {
    const { log, checkpointed } = this.#look.get()!
    if (log - checkpointed < CHECKPOINT_PAGES) return
    this.#move.get()
    writeInTurn(this.#turns, this.#writer, () => this.#move.get())
  }
}

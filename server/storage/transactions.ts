import { AsyncLocalStorage } from 'node:async_hooks'
import type Sqlite from 'better-sqlite3'
import { nextTurn, SLICE_MILLISECONDS } from '../lib/turns.ts'
import { Connection } from './sqlite/connection.ts'
import { TakingTurns } from './sqlite/taking-turns.ts'
import { findOpenUnit, runInSavepoint, UnitOfWork } from './unit-of-work.ts'
import { endWrite, writeSoon, type WriteTurns } from './sqlite/write-turns.ts'

/** Lets other work run after a long operation, because the caller's next step would add to it. */
function runAndRest<Result>(work: () => Result): Result | Promise<Result> {
  const begun = performance.now()
  const result = work()
  if (performance.now() - begun <= SLICE_MILLISECONDS) return result
  return nextTurn().then(() => result)
}

/** Connections for transactions. */
export interface Connections {
  /** The only writing connection. */
  readonly writer: Sqlite.Database
  /** Sees only committed data; in memory it is the writer. */
  readonly reader: Sqlite.Database
  readonly turns: WriteTurns
  /** Called after each committed write. */
  readonly onWrite?: () => void
  /**
   * Refuses statements of an ended transaction, so that tests detect a missing `await`; otherwise
   * they run separately.
   */
  readonly isStrict: boolean
}

/**
 * One writer at a time: a transaction has the writing connection from its start to its commit,
 * across everything it awaits, and a single write for one statement. Reads outside a transaction do
 * not wait. The transaction of a statement is determined by its call context.
 */
export class Transactions {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #turns: WriteTurns
  readonly #onWrite: () => void
  readonly #isStrict: boolean
  readonly #writes = new TakingTurns()
  readonly #units = new AsyncLocalStorage<UnitOfWork>()

  constructor({ writer, reader, turns, onWrite = () => undefined, isStrict }: Connections) {
    this.#writer = new Connection(writer)
    this.#reader = writer === reader ? this.#writer : new Connection(reader)
    this.#turns = turns
    this.#onWrite = onWrite
    this.#isStrict = isStrict
  }

  /** Returns the unit a call belongs to. */
  current(): UnitOfWork | undefined {
    return findOpenUnit(this.#units.getStore(), this.#isStrict)
  }

  /** Runs a statement in its transaction, else separately; synchronously if possible. */
  async execute<Result>(sql: string, use: (connection: Connection) => Result): Promise<Result> {
    const unit = this.current()
    if (unit) {
      if (unit.inner.isTaken) await unit.afterInner()
      return runAndRest(() => use(this.#writer))
    }
    if (!this.#reader.isRead(sql)) return this.#writeAlone(() => use(this.#writer))
    // In memory there is one connection, on which a read would see data that may still be rolled
    // back.
    if (this.#reader === this.#writer && this.#writes.isTaken) {
      await this.#writes.take()
      this.#writes.leave()
    }
    return runAndRest(() => use(this.#reader))
  }

  /** Runs `work` in a transaction, or in a savepoint of the one it is called in. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const outer = this.current()
    return outer ? this.#runInside(outer, work) : this.#runAlone(work)
  }

  async #writeAlone<Result>(work: () => Result): Promise<Result> {
    const turn = this.#writes.take()
    if (turn) await turn
    try {
      const others = writeSoon(this.#turns)
      if (others) await others
      try {
        const result = runAndRest(work)
        this.#onWrite()
        return result
      } finally {
        endWrite(this.#turns)
      }
    } finally {
      this.#writes.leave()
    }
  }

  async #runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    const unit = new UnitOfWork(null)
    const result = await this.#runInTurn(unit, work)
    // Other writers run meanwhile, because the following work writes separately.
    if (unit.following) await unit.following
    return result
  }

  async #runInTurn<Result>(unit: UnitOfWork, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#writes.take()
    if (turn) await turn
    try {
      const others = writeSoon(this.#turns)
      if (others) await others
      try {
        return await this.#commit(unit, work)
      } finally {
        endWrite(this.#turns)
      }
    } finally {
      this.#writes.leave()
    }
  }

  async #commit<Result>(unit: UnitOfWork, work: () => Promise<Result>): Promise<Result> {
    this.#command('begin immediate')
    let result: Result
    let rest: void | Promise<void>
    try {
      result = await this.#units.run(unit, work)
      unit.complete()
      rest = runAndRest(() => this.#command('commit'))
    } catch (error) {
      unit.end()
      // If the disk is full it has been rolled back already.
      if (this.#writer.sqlite.inTransaction) this.#command('rollback')
      throw error
    }
    this.#onWrite()
    unit.committed()
    if (rest) await rest
    return result
  }

  #runInside<Result>(outer: UnitOfWork, work: () => Promise<Result>): Promise<Result> {
    return runInSavepoint(outer, {
      work: (unit) => this.#units.run(unit, work),
      command: (sql) => this.#command(sql),
      undo: (name) => {
        // If the disk is full the transaction has been rolled back already.
        if (!this.#writer.sqlite.inTransaction) return
        this.#command(`rollback to ${name}`)
        this.#command(`release ${name}`)
      },
    })
  }

  #command(sql: string): void {
    this.#writer.prepare(sql).run()
  }
}

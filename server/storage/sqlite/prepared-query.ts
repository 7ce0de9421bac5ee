import type Sqlite from 'better-sqlite3'
import type { ReadThread } from '../reading/read-thread.ts'
import type { Transactions } from '../transactions.ts'

/** Places where a statement can run. */
interface Places {
  readonly transactions: Transactions
  /** Reads off the event loop; null in memory, where a thread would see nothing. */
  readonly thread: ReadThread | null
}

/** A statement with its SQL text, which may be executed many times. */
export interface PreparedQuery<Values extends unknown[], Row> {
  /** Returns the same statement; its rows are the values of their first column. */
  pluck(): PreparedQuery<Values, Row>
  all(...values: Values): Promise<Row[]>
  /**
   * Like `all`, for statements that may take more than some milliseconds; see `Storage.allBeside`.
   */
  allBeside(...values: Values): Promise<Row[]>
  get(...values: Values): Promise<Row | undefined>
  /** Resolves with the number of changed rows. */
  run(...values: Values): Promise<{ readonly changes: number }>
  /** Passes rows to `take` as long as it reads them, in one step. */
  take<Result>(values: Values, take: (rows: Iterable<Row>) => Result): Promise<Result>
}

/** A statement on SQLite connections. */
export class SqliteQuery<Values extends unknown[], Row> implements PreparedQuery<Values, Row> {
  readonly #places: Places
  readonly #sql: string
  readonly #isPlucked: boolean

  constructor(places: Places, sql: string, isPlucked = false) {
    this.#places = places
    this.#sql = sql
    this.#isPlucked = isPlucked
  }

  pluck(): SqliteQuery<Values, Row> {
    return new SqliteQuery(this.#places, this.#sql, true)
  }

  all(...values: Values): Promise<Row[]> {
    return this.#use((statement) => statement.all(...values))
  }

  async allBeside(...values: Values): Promise<Row[]> {
    const { transactions, thread } = this.#places
    if (!thread || transactions.current()) return this.all(...values)
    const reading = { text: this.#sql, values, isPlucked: this.#isPlucked }
    return thread.all(reading) as Promise<Row[]>
  }

  get(...values: Values): Promise<Row | undefined> {
    return this.#use((statement) => statement.get(...values))
  }

  run(...values: Values): Promise<Sqlite.RunResult> {
    return this.#use((statement) => statement.run(...values))
  }

  take<Result>(values: Values, take: (rows: Iterable<Row>) => Result): Promise<Result> {
    return this.#use((statement) => take(statement.iterate(...values)))
  }

  #use<Result>(work: (statement: Sqlite.Statement<Values, Row>) => Result): Promise<Result> {
    return this.#places.transactions.execute(this.#sql, (connection) => {
      const statement = connection.prepare(this.#sql, this.#isPlucked)
      return work(statement as Sqlite.Statement<Values, Row>)
    })
  }
}

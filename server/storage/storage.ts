import type Sqlite from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  type Compilable,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type FilterObject,
  type InsertObject,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  type UpdateObject,
} from 'kysely'
import type { Deletions } from './deletions/deletions.ts'
import type { Dialect } from './dialect.ts'
import type { PreparedQuery } from './sqlite/prepared-query.ts'
import type { Schema } from './schema.ts'
import type { FollowChanges } from './postgres/others-changes.ts'
import type { ToldTable } from './postgres/told-tables.ts'
import type { AfterCommit, UnitOfWork } from './unit-of-work.ts'
import { createWriteTurns } from './sqlite/write-turns.ts'

/** Determines which transaction a statement belongs to. */
interface UnitsOfWork {
  current(): UnitOfWork | undefined
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * The database of the gateway. Queries are built with `builder` (kysely) in `store.ts` files and
 * run here. Code that reads and then writes must use one `transaction`; between two statements
 * outside of one, any other code may write. Booleans are bound as 0 and 1.
 */
export abstract class Storage {
  abstract readonly engine: 'sqlite' | 'postgres'
  /** The writing connection, for features only SQLite has; throws on PostgreSQL. */
  abstract readonly sqlite: Sqlite.Database
  abstract readonly isOpen: boolean
  /** Amount of long work done at once. */
  abstract readonly pace: Pace
  /** Deletions whose rows are being removed. */
  abstract readonly deletions: Deletions
  /** Usage of the connections to a server; null if the database is a file. */
  abstract readonly connections: ConnectionCounts | null
  protected abstract readonly transactions: UnitsOfWork
  /** SQL differences between the engines; all other statements use the SQL they share. */
  readonly dialect: Dialect
  /** Only writes SQL text, which the storage executes; its driver never connects. */
  readonly builder: Kysely<Schema>
  /**
   * For threads that write much in short transactions, because SQLite has no queue: a waiting
   * writer only retries from time to time.
   */
  readonly writeTurns = createWriteTurns()

  constructor(dialect: Dialect) {
    this.dialect = dialect
    this.builder = new Kysely<Schema>({
      dialect: { ...dialect.parts, createDriver: () => new DummyDriver() },
      plugins: [...(dialect.plugins ?? [])],
    })
  }

  all<Row>(query: Compilable<Row>): Promise<Row[]> {
    const { statement, values } = this.#compile(query)
    return statement.all(...values)
  }

  get<Row>(query: Compilable<Row>): Promise<Row | undefined> {
    const { statement, values } = this.#compile(query)
    return statement.get(...values)
  }

  /** Resolves with the number of rows a query finds; it selects no columns itself. */
  async count(query: Uncounted): Promise<number> {
    return (await this.get(query.select(({ fn }) => fn.countAll<number>().as('count'))))!.count
  }

  /**
   * Like `all`, for queries that may take more than some milliseconds because of much data: runs in
   * a thread, off the event loop. Within a transaction, and in memory, where a thread would see
   * nothing, it runs here.
   */
  allBeside<Row>(query: Compilable<Row>): Promise<Row[]> {
    const { statement, values } = this.#compile(query)
    return statement.allBeside(...values)
  }

  /** Runs a write and resolves with the number of changed rows. */
  async run(query: Compilable<unknown>): Promise<number> {
    const { statement, values } = this.#compile(query)
    return (await statement.run(...values)).changes
  }

  // In the following statements one table stands for all of them, because the builder has no type
  // for a table that varies.

  /** Adds one or several rows. */
  insert<Table extends keyof Schema>(
    table: Table,
    rows: InsertObject<Schema, Table> | readonly InsertObject<Schema, Table>[],
  ): Promise<number> {
    return this.run(this.builder.insertInto(table).values(rows))
  }

  /** Resolves with the row that has an id or values; null if there is none. */
  async find<Table extends keyof Schema>(
    table: Table,
    where: Where<Table>,
  ): Promise<Selectable<Schema[Table]> | null> {
    const query = this.builder.selectFrom(table as 'user').selectAll()
    return ((await this.get(query.where(has(where)))) ?? null) as never
  }

  /** Changes the rows that have an id or values; resolves with their number. */
  update<Table extends keyof Schema>(
    table: Table,
    where: Where<Table>,
    changes: Changes<Table>,
  ): Promise<number> {
    const query = this.builder.updateTable(table as 'user')
    return this.run(query.set(changes as UpdateObject<Schema, 'user'>).where(has(where)))
  }

  /** Removes the rows that have an id or values; resolves with their number. */
  remove<Table extends keyof Schema>(table: Table, where: Where<Table>): Promise<number> {
    return this.run(this.builder.deleteFrom(table as 'user').where(has(where)))
  }

  /** For statements of hot paths and full-text queries, in `store.ts` files only. */
  abstract prepare<Values extends unknown[] = unknown[], Row = unknown>(
    sql: string,
  ): PreparedQuery<Values, Row>

  /**
   * Runs `work` atomically. All statements called from within take part, at any depth; nested calls
   * become savepoints. It must await everything it starts.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.transactions.run(work)
  }

  /** True if a statement called here would be part of a transaction. */
  get inTransaction(): boolean {
    return this.transactions.current() !== undefined
  }

  /**
   * Runs `work` after the commit. The caller that started the transaction waits for it, while
   * others write. Outside a transaction it runs immediately, and is not awaited.
   */
  afterCommit(work: AfterCommit): void {
    const unit = this.transactions.current()
    if (unit) unit.afterCommit(work)
    else work()
  }

  /**
   * Adds a listener that is called when other gateways on the same database changed rows of these
   * tables, with the keys of the changes (`postgres/told-tables.ts`), or null if anything may have
   * changed. Never called if this gateway has the database to itself.
   */
  abstract onOthersChange(tables: readonly ToldTable[], follow: FollowChanges): void

  /**
   * True if the file of the database was moved or deleted, so that later writes would be lost.
   * Closing then writes it to its path again.
   */
  abstract readonly isGone: boolean

  /**
   * Reads on each connection; throws if the database does not respond, or is no longer at the path
   * where it was opened, because later writes would be lost. In a file it takes some microseconds,
   * as it waits for no writer.
   */
  abstract ping(): void | Promise<void>

  /**
   * Writes a consistent copy while the gateway keeps running; `target` must be an absolute path
   * that does not exist yet.
   */
  abstract backup(target: string): Promise<void>

  abstract close(): void

  /** Returns a statement whose text the builder wrote, in the syntax of the engine. */
  protected statement<Row>(sql: string): PreparedQuery<unknown[], Row> {
    return this.prepare(sql)
  }

  #compile<Row>(query: Compilable<Row>) {
    const { sql, parameters } = query.compile()
    return { statement: this.statement<Row>(sql), values: parameters.map(toBindable) }
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a query on any tables
type Uncounted = SelectQueryBuilder<any, any, object>

/** The id of a row, or values of its columns. */
type Where<Table extends keyof Schema> =
  | FilterObject<Schema, Table>
  | (Schema[Table] extends { id: string } ? string : never)

/** Values of columns, or a function that derives them from the former ones. */
type Changes<Table extends keyof Schema> =
  | UpdateObject<Schema, Table>
  | ((former: ExpressionBuilder<Schema, Table>) => UpdateObject<Schema, Table>)

/**
 * Returns the condition that a row has all of these values; no row has one that is undefined. Throws
 * without any value.
 */
function has(where: string | object) {
  const values = Object.entries(typeof where === 'string' ? { id: where } : where)
  // Without a value, the condition would be true of every row of the table.
  if (values.length === 0) throw new TypeError('A statement about rows needs a value they have.')
  return (make: ExpressionBuilder<Schema, 'user'>): ExpressionWrapper<Schema, 'user', SqlBool> =>
    make.and(values.map(([column, value]) => make(column as 'id', '=', value as string)))
}

/**
 * Size of the steps of long work. A database file is read and written in this process, which is
 * blocked meanwhile. A database server lets other work continue, but each statement is a round
 * trip.
 */
export interface Pace {
  /** Time limit of one transaction of many rows. */
  readonly milliseconds: number
  /** Number of rows written by one statement. */
  readonly rows: number
  /** Number of rows read by one statement, if they are not long. */
  readonly rowsRead: number
  /** Number of chats of which one statement reads the messages. */
  readonly chatsRead: number
}

/** Connections to a database server, and requests that wait for one. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export const toBindable = (value: unknown): unknown =>
  typeof value === 'boolean' ? Number(value) : value

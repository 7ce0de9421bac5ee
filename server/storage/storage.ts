import type Sqlite from 'better-sqlite3'
import { DummyDriver, Kysely, type Compilable } from 'kysely'
import type { Deletions } from './deletions/deletions.ts'
import type { Dialect } from './dialect.ts'
import type { PreparedQuery } from './prepared-query.ts'
import type { Schema } from './schema.ts'
import type { FollowChanges } from './postgres/others-changes.ts'
import type { ToldTable } from './postgres/told-tables.ts'
import type { AfterCommit } from './unit-of-work.ts'
import type { WriteTurns } from './write-turns.ts'

/**
 * The database of the gateway. Queries are built with `builder` (kysely) in `store.ts` files and
 * run here. Whatever reads and then writes stands in one `transaction`; between two statements
 * outside of one, anybody else may write. Booleans are bound as 0 and 1.
 */
export interface Storage {
  readonly builder: Kysely<Schema>
  readonly engine: 'sqlite' | 'postgres'
  /** What the engines say differently; statements are else written in the SQL they share. */
  readonly dialect: Dialect
  /** The connection that writes, for what SQLite alone has; throws on PostgreSQL. */
  readonly sqlite: Sqlite.Database
  readonly isOpen: boolean
  all<Row>(query: Compilable<Row>): Promise<Row[]>
  get<Row>(query: Compilable<Row>): Promise<Row | undefined>
  /**
   * Like `all`, for what may take more than some milliseconds because much is stored: it runs
   * beside the event loop, in a thread. Within a transaction, and in memory, where a thread would
   * see nothing, it runs here.
   */
  allBeside<Row>(query: Compilable<Row>): Promise<Row[]>
  /** Runs a write and says how many rows changed. */
  run(query: Compilable<unknown>): Promise<number>
  /** For statements of hot paths and full-text queries, in `store.ts` files only. */
  prepare<Values extends unknown[] = unknown[], Row = unknown>(
    sql: string,
  ): PreparedQuery<Values, Row>
  /**
   * Runs `work` atomically. Every statement called from within takes part, however deep; nested
   * calls become savepoints. What it starts it has to await.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** How much of long work is done at once. */
  readonly pace: Pace
  /** Whether a statement called here would be part of a transaction. */
  readonly inTransaction: boolean
  /**
   * Does something once what was written is there to stay. Who began the transaction waits for it,
   * while others write. Outside a transaction it is done at once, and nobody waits.
   */
  afterCommit(work: AfterCommit): void
  /**
   * For threads that write much in short transactions, because SQLite lets nobody queue: whoever
   * waits only tries again at times.
   */
  readonly writeTurns: WriteTurns
  /** What was deleted and is being removed row by row. */
  readonly deletions: Deletions
  /**
   * Calls back when other gateways on the same database changed rows of these tables, with the keys
   * of what changed (`postgres/told-tables.ts`), or null when anything may have changed. Never where
   * this gateway has the database to itself.
   */
  onOthersChange(tables: readonly ToldTable[], follow: FollowChanges): void
  /**
   * Reads from the file on both connections; throws when the database does not answer, or no longer lies where it was
   * opened, since nobody would find again what is written then. Takes some microseconds, as it
   * waits for no writer.
   */
  ping(): void | Promise<void>
  /** How busy the connections to a server are; null where the database is a file. */
  readonly connections: ConnectionCounts | null
  /**
   * Writes a consistent copy while the gateway goes on; `target` must be an absolute path that does
   * not exist yet.
   */
  backup(target: string): Promise<void>
  close(): void
}

/**
 * A file is read and written in this process, which serves nobody else meanwhile. A server lets
 * others go on, but each statement is a journey.
 */
export interface Pace {
  /** How long one transaction of many rows may take. */
  readonly milliseconds: number
  /** Rows that one statement writes. */
  readonly rows: number
}

/** Connections to a database server, and work that waits for one. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** Builds SQL text only; execution is `Storage`'s, so the driver never connects. */
export function createBuilder({ parts, plugins = [] }: Dialect): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: { ...parts, createDriver: () => new DummyDriver() },
    plugins: [...plugins],
  })
}

export const toBindable = (value: unknown): unknown =>
  typeof value === 'boolean' ? Number(value) : value

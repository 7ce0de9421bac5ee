import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
} from 'kysely'
import type { Logger } from '../lib/logger.ts'
import { backUpOnline } from './back-up-online.ts'
import { Checkpoints } from './checkpoints/index.ts'
import { connect, connectToRead } from './connect.ts'
import type { RecoveryChoice } from './errors.ts'
import { Deletions } from './deletions/index.ts'
import { migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import { openDatabase } from './open-database.ts'
import type { Schema } from './schema.ts'
import { PreparedQuery, type Execute, type ReadBeside } from './prepared-query.ts'
import { ReadThread } from './reading/read-thread.ts'
import { Transactions } from './transactions.ts'
import type { AfterCommit } from './unit-of-work.ts'
import { createWriteTurns, type WriteTurns } from './write-turns.ts'

/**
 * The database of the gateway. Queries are built with `builder` (kysely) in `store.ts` files and
 * run here. Whatever reads and then writes stands in one `transaction`; between two statements
 * outside of one, anybody else may write. Booleans are bound as 0 and 1.
 */
export interface Storage {
  readonly builder: Kysely<Schema>
  /** The connection that writes, for what SQLite alone has. */
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
   * Reads from the file on both connections; throws when the database does not answer, or no longer lies where it was
   * opened, since nobody would find again what is written then. Takes some microseconds, as it
   * waits for no writer.
   */
  ping(): void
  /**
   * Writes a consistent copy while the gateway goes on; `target` must be an absolute path that does
   * not exist yet.
   */
  backup(target: string): Promise<void>
  close(): void
}

/** How to open the database. */
export interface StorageOptions {
  /** Absolute path of the database file, or `:memory:`. */
  readonly path: string
  /** The steps of the schema; all of the program's own unless a test says otherwise. */
  readonly migrations?: readonly Migration[]
  /**
   * What to do when the database is damaged; without a choice a `DamagedDatabaseError` offers them.
   */
  readonly recovery?: RecoveryChoice | null
  readonly log?: Logger
  /** Refuses statements of a transaction that is over; for tests. */
  readonly isStrict?: boolean
}

/** Builds SQL text only; execution is `Storage`'s, so the driver never connects. */
function createBuilder(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

/** A check that the file at a path is still the one it is now; none for a database in memory. */
function createPlaceCheck(path: string): () => void {
  if (path === ':memory:') return () => undefined
  const { dev, ino } = statSync(path, { bigint: true })
  return () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (found?.dev !== dev || found.ino !== ino)
      throw new Error('The database is not at its place any more.')
  }
}

const toBindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** The reader is a connection of its own, so that it never sees what may yet be rolled back. */
const connectReader = (writer: Sqlite.Database): Sqlite.Database =>
  writer.memory ? writer : connectToRead(writer.name)

interface OpenedDatabase extends Pick<StorageOptions, 'path' | 'log' | 'isStrict'> {
  readonly sqlite: Sqlite.Database
}

/** Statements where they belong: in the transaction they are called in, else by themselves. */
function createStatements(
  transactions: Transactions,
  thread: ReadThread | null,
): Pick<Storage, 'all' | 'allBeside' | 'get' | 'run' | 'prepare'> {
  const execute: Execute = (text, use) => transactions.execute(text, use)
  const readBeside: ReadBeside = async (reading) => {
    if (thread && !transactions.current()) return thread.all(reading)
    const { text, values, isPlucked } = reading
    return execute(text, (connection) => connection.prepare(text, isPlucked).all(...values))
  }
  return {
    all: <Row>(query: Compilable<Row>) => {
      const { sql: text, parameters } = query.compile()
      return execute(
        text,
        (connection) => connection.prepare(text).all(parameters.map(toBindable)) as Row[],
      )
    },
    allBeside: <Row>(query: Compilable<Row>) => {
      const { sql: text, parameters } = query.compile()
      return readBeside({ text, values: parameters.map(toBindable) }) as Promise<Row[]>
    },
    get: <Row>(query: Compilable<Row>) => {
      const { sql: text, parameters } = query.compile()
      return execute(
        text,
        (connection) => connection.prepare(text).get(parameters.map(toBindable)) as Row | undefined,
      )
    },
    run: (query) => {
      const { sql: text, parameters } = query.compile()
      return execute(
        text,
        (connection) => connection.prepare(text).run(parameters.map(toBindable)).changes,
      )
    },
    prepare: (text) => new PreparedQuery({ execute, readBeside }, text),
  }
}

function createStorage({ sqlite, path, log, isStrict = false }: OpenedDatabase): Storage {
  const checkPlace = createPlaceCheck(path)
  const reader = connectReader(sqlite)
  const looks = [sqlite, reader].map((connection) =>
    connection.prepare('select 1 from sqlite_schema limit 1'),
  )
  const writeTurns = createWriteTurns()
  const checkpoints = sqlite.memory ? null : new Checkpoints({ sqlite, writeTurns, log })
  const transactions = new Transactions({
    writer: sqlite,
    reader,
    turns: writeTurns,
    onWrite: () => checkpoints?.noteWrite(),
    isStrict,
  })
  const thread = sqlite.memory ? null : new ReadThread(path)
  const statements = createStatements(transactions, thread)
  const transaction: Storage['transaction'] = (work) => transactions.run(work)
  const afterCommit: Storage['afterCommit'] = (work) => {
    const unit = transactions.current()
    if (unit) unit.afterCommit(work)
    else work()
  }
  let deletions: Deletions | undefined

  return {
    builder: createBuilder(),
    sqlite,
    get isOpen() {
      return sqlite.open
    },
    ...statements,
    transaction,
    get inTransaction() {
      return transactions.current() !== undefined
    },
    afterCommit,
    writeTurns,
    // Built with the first use, since tests open databases with an older schema.
    get deletions() {
      return (deletions ??= new Deletions({
        sqlite,
        writeTurns,
        prepare: statements.prepare,
        transaction,
        afterCommit,
        log,
      }))
    },
    ping() {
      checkPlace()
      for (const look of looks) look.get()
    },
    backup: (target) => backUpOnline(sqlite, target),
    close() {
      checkpoints?.close()
      void thread?.close()
      reader.close()
      sqlite.close()
    },
  }
}

function openInMemory(migrations: readonly Migration[]): Sqlite.Database {
  const sqlite = connect(':memory:')
  migrate(sqlite, migrations)
  return sqlite
}

/**
 * Opens the database, checks its surface and brings its schema up to date; throws a `StartError`
 * that says what to do.
 */
export function openStorage({
  path,
  migrations = allMigrations,
  recovery = null,
  log,
  isStrict,
}: StorageOptions): Storage {
  const sqlite =
    path === ':memory:'
      ? openInMemory(migrations)
      : openDatabase({ path, migrations, recovery, log })
  return createStorage({ sqlite, path, log, isStrict })
}

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
import { connect } from './connect.ts'
import type { RecoveryChoice } from './errors.ts'
import { Deletions } from './deletions/index.ts'
import { migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import { openDatabase } from './open-database.ts'
import type { Schema } from './schema.ts'
import { createStatementCache } from './statement-cache.ts'
import { createWriteTurns, writeFirst, type WriteTurns } from './write-turns.ts'

/**
 * The database of the gateway. Queries are built with `builder` (kysely) in `store.ts` files and
 * executed here, synchronously, so that a transaction can never interleave with another request.
 * Booleans are bound as 0 and 1.
 */
export interface Storage {
  readonly builder: Kysely<Schema>
  /** For prepared statements of hot paths and full-text queries, in `store.ts` files only. */
  readonly sqlite: Sqlite.Database
  all<Row>(query: Compilable<Row>): Row[]
  get<Row>(query: Compilable<Row>): Row | undefined
  /** Runs a write and says how many rows changed. */
  run(query: Compilable<unknown>): number
  /** Runs `work` atomically; nested calls become savepoints. `work` must be synchronous. */
  transaction<Result>(work: () => Result): Result
  /**
   * For threads that write much in short transactions, because SQLite lets nobody queue: whoever
   * waits only tries again at times.
   */
  readonly writeTurns: WriteTurns
  /** What was deleted and is being removed row by row. */
  readonly deletions: Deletions
  /**
   * Reads from the file; throws when the database does not answer, or no longer lies where it was
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

function createStorage(sqlite: Sqlite.Database, path: string, log?: Logger): Storage {
  const checkPlace = createPlaceCheck(path)
  const prepare = createStatementCache(sqlite)
  const atomically = sqlite.transaction((work: () => unknown) => work())
  const anyTable = sqlite.prepare('select 1 from sqlite_schema limit 1')
  const writeTurns = createWriteTurns()

  const checkpoints = sqlite.memory ? null : new Checkpoints({ sqlite, writeTurns, log })

  const write = <Result>(work: () => Result): Result => {
    const result = writeFirst(writeTurns, work)
    checkpoints?.noteWrite()
    return result
  }
  const transaction = <Result>(work: () => Result): Result =>
    write(() => atomically.immediate(work) as Result)
  let deletions: Deletions | undefined

  return {
    builder: createBuilder(),
    sqlite,
    all: <Row>(query: Compilable<Row>) => {
      const { statement, values } = prepare(query)
      return statement.all(values) as Row[]
    },
    get: <Row>(query: Compilable<Row>) => {
      const { statement, values } = prepare(query)
      return statement.get(values) as Row | undefined
    },
    run: (query) => {
      const { statement, values } = prepare(query)
      return write(() => statement.run(values).changes)
    },
    transaction,
    writeTurns,
    // Built with the first use, since tests open databases with an older schema.
    get deletions() {
      return (deletions ??= new Deletions({ sqlite, writeTurns, transaction, log }))
    },
    ping() {
      checkPlace()
      anyTable.get()
    },
    backup: (target) => backUpOnline(sqlite, target),
    close() {
      checkpoints?.close()
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
}: StorageOptions): Storage {
  const sqlite =
    path === ':memory:'
      ? openInMemory(migrations)
      : openDatabase({ path, migrations, recovery, log })
  return createStorage(sqlite, path, log)
}

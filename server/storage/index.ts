import type Sqlite from 'better-sqlite3'
import type { Compilable } from 'kysely'
import type { Logger } from '../lib/logger.ts'
import { SLICE_MILLISECONDS } from '../lib/turns.ts'
import { backUpOnline } from './backups/back-up-online.ts'
import { Checkpoints } from './checkpoints/index.ts'
import { connect, connectToRead } from './sqlite/connect.ts'
import { DatabasePlace } from './sqlite/database-place.ts'
import type { RecoveryChoice } from './errors.ts'
import { FileDeletions } from './deletions/index.ts'
import { migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import { openDatabase } from './open-database.ts'
import { SqliteQuery, type ReadBeside } from './sqlite/prepared-query.ts'
import { ReadThread } from './reading/read-thread.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import {
  createBuilder,
  toBindable,
  toCount,
  createRowStatements,
  type Pace,
  type Storage,
} from './storage.ts'
import { Transactions } from './transactions.ts'
import { createWriteTurns } from './sqlite/write-turns.ts'

export type { Storage } from './storage.ts'

const PACE: Pace = { milliseconds: SLICE_MILLISECONDS, rows: 1, rowsRead: 64, chatsRead: 1 }

/** Options for opening the database. */
export interface StorageOptions {
  /** Absolute path of the database file, or `:memory:`. */
  readonly path: string
  /** The steps of the schema; all of the program's own except in tests. */
  readonly migrations?: readonly Migration[]
  /** Recovery of a damaged database; if absent, a `DamagedDatabaseError` offers the choices. */
  readonly recovery?: RecoveryChoice | null
  readonly log?: Logger
  /** Refuses statements of an ended transaction; for tests. */
  readonly isStrict?: boolean
}

/**
 * The reader is a separate connection, so that it never sees data that may still be rolled back.
 */
const connectReader = (writer: Sqlite.Database): Sqlite.Database =>
  writer.memory ? writer : connectToRead(writer.name)

interface OpenedDatabase extends Pick<StorageOptions, 'path' | 'log' | 'isStrict'> {
  readonly sqlite: Sqlite.Database
}

/** Runs statements in the transaction they are called in, else separately. */
function createStatements(
  transactions: Transactions,
  thread: ReadThread | null,
): Pick<Storage, 'all' | 'allBeside' | 'get' | 'count' | 'run' | 'prepare'> {
  const readBeside: ReadBeside = async (reading) => {
    if (thread && !transactions.current()) return thread.all(reading)
    const { text, values, isPlucked } = reading
    return transactions.execute(text, (connection) =>
      connection.prepare(text, isPlucked).all(...values),
    )
  }
  const get = <Row>(query: Compilable<Row>): Promise<Row | undefined> => {
    const { sql: text, parameters } = query.compile()
    return transactions.execute(
      text,
      (connection) => connection.prepare(text).get(parameters.map(toBindable)) as Row | undefined,
    )
  }
  return {
    all: <Row>(query: Compilable<Row>) => {
      const { sql: text, parameters } = query.compile()
      return transactions.execute(
        text,
        (connection) => connection.prepare(text).all(parameters.map(toBindable)) as Row[],
      )
    },
    allBeside: <Row>(query: Compilable<Row>) => {
      const { sql: text, parameters } = query.compile()
      return readBeside({ text, values: parameters.map(toBindable) }) as Promise<Row[]>
    },
    get,
    count: async (query) => (await get(toCount(query)))!.count,
    run: (query) => {
      const { sql: text, parameters } = query.compile()
      return transactions.execute(
        text,
        (connection) => connection.prepare(text).run(parameters.map(toBindable)).changes,
      )
    },
    prepare: (text) => new SqliteQuery({ transactions, readBeside }, text),
  }
}

function createStorage({ sqlite, path, log, isStrict = false }: OpenedDatabase): Storage {
  const place = new DatabasePlace(sqlite)
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
  const builder = createBuilder(sqliteDialect)
  let deletions: FileDeletions | undefined

  return {
    builder,
    engine: 'sqlite',
    dialect: sqliteDialect,
    sqlite,
    get isOpen() {
      return sqlite.open
    },
    ...statements,
    ...createRowStatements(builder, statements),
    transaction,
    pace: PACE,
    get inTransaction() {
      return transactions.current() !== undefined
    },
    afterCommit,
    writeTurns,
    // Created on first use, because tests open databases with an older schema.
    get deletions() {
      return (deletions ??= new FileDeletions({
        sqlite,
        writeTurns,
        prepare: statements.prepare,
        transaction,
        afterCommit,
        log,
      }))
    },
    onOthersChange: () => undefined,
    get isGone() {
      return place.isEmpty
    },
    ping() {
      place.check()
      for (const look of looks) look.get()
    },
    connections: null,
    backup: (target) => backUpOnline(sqlite, target),
    close() {
      checkpoints?.close()
      void thread?.close()
      reader.close()
      if (place.isEmpty) {
        log?.error('the file of the database is gone; it is written again')
        place.fill()
      }
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
 * Opens the database, checks its surface and migrates its schema; throws a `StartError` with
 * advice.
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

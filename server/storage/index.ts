import type Sqlite from 'better-sqlite3'
import type { RecoveryChoice } from './errors.ts'
import { migrate } from './migrate.ts'
import { migrations as allMigrations } from './migrations/all.ts'
import type { Migration } from './migrations/migration.ts'
import { openDatabase } from './open-database.ts'
import { connect } from './sqlite/connect.ts'
import { SqliteStorage, type SqliteStorageOptions } from './sqlite/sqlite-storage.ts'
import type { Storage } from './storage.ts'

export type { Storage } from './storage.ts'

/** Options for opening the database. */
export interface StorageOptions extends SqliteStorageOptions {
  /** Absolute path of the database file, or `:memory:`. */
  readonly path: string
  /** The steps of the schema; all of the program's own except in tests. */
  readonly migrations?: readonly Migration[]
  /** Recovery of a damaged database; if absent, a `DamagedDatabaseError` offers the choices. */
  readonly recovery?: RecoveryChoice | null
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
  ...options
}: StorageOptions): Storage {
  const sqlite =
    path === ':memory:'
      ? openInMemory(migrations)
      : openDatabase({ path, migrations, recovery, log: options.log })
  return new SqliteStorage(sqlite, options)
}

import type Sqlite from 'better-sqlite3'
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../config/program.ts'
import { StartError } from '../config/start-error.ts'
import type { Logger } from '../lib/logger.ts'
import { syncFolder } from '../lib/write-file-atomically.ts'
import {
  createBackup,
  findSoundBackups,
  findUsableBackups,
  listBackups,
  removeUnfinishedCopies,
} from './backups/backups.ts'
import { connect } from './sqlite/connect.ts'
import { readDamageMark, removeDamageMark } from './damage/damage-mark.ts'
import {
  DamagedDatabaseError,
  isDamage,
  NewerSchemaError,
  toStartError,
  type RecoveryChoice,
} from './errors.ts'
import { findFault } from './damage/find-fault.ts'
import { inspectFile, sizeOf } from './damage/inspect-file.ts'
import { findPendingSteps, migrate, readAppliedSteps, type MigrationHook } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { isWholeWithoutLog, recoverDatabase } from './damage/recover-database.ts'

/** Options for opening the database. */
export interface OpenOptions {
  readonly path: string
  readonly migrations: readonly Migration[]
  /** Recovery of a damaged database; null stops with the choices. */
  readonly recovery: RecoveryChoice | null
  readonly hook?: MigrationHook
  readonly log?: Logger
}

/**
 * Builds a new database under another name, so that an incomplete one is never found in its place.
 */
function createDatabase({ path: file, migrations, hook }: OpenOptions): void {
  const temporary = `${file}.new`
  for (const leftover of [temporary, `${temporary}-wal`, `${temporary}-shm`])
    rmSync(leftover, { force: true })
  closeSync(openSync(temporary, 'wx', 0o600))
  const sqlite = connect(temporary)
  try {
    migrate(sqlite, migrations, hook)
  } finally {
    sqlite.close()
  }
  renameSync(temporary, file)
  syncFolder(path.dirname(file))
}

function refuseNewerSchema({ path: file, migrations }: OpenOptions, found: number): void {
  if (found <= migrations.length) return
  const versions = { found, known: migrations.length, program: readProgram().version }
  const [backup] = findUsableBackups(file, migrations.length)
  throw new NewerSchemaError(file, versions, backup)
}

/**
 * Reads the schema and one row of each table: fast at any size, yet it detects most kinds of
 * damage.
 */
function touchEveryTable(sqlite: Sqlite.Database): void {
  const tables = sqlite
    .prepare("select name from sqlite_schema where type = 'table' and rootpage > 0")
    .pluck()
    .all() as string[]
  for (const table of tables)
    sqlite.prepare(`select * from "${table.replaceAll('"', '""')}" limit 1`).get()
}

/**
 * Checks that the applied steps are the first of the program's steps, in order, and as many as the
 * header says.
 */
function checkSteps(sqlite: Sqlite.Database, options: OpenOptions): void {
  const applied = readAppliedSteps(sqlite)
  refuseNewerSchema(options, applied.length)
  const isOurs =
    applied.length > 0 && applied.every((id, index) => id === options.migrations[index]?.id)
  if (isOurs && sqlite.pragma('user_version', { simple: true }) === applied.length) return
  throw new DamagedDatabaseError(options.path, 'its record of schema steps is wrong', {
    backups: findSoundBackups(options.path),
  })
}

/** A recorded fault counts until a full check finds none any more. */
function confirmDamageMark(sqlite: Sqlite.Database, file: string): void {
  const fault = readDamageMark(file)
  if (fault === null) return
  if (findFault(sqlite) !== null)
    throw new DamagedDatabaseError(file, fault, { backups: findSoundBackups(file) })
  removeDamageMark(file)
}

function connectSound(options: OpenOptions): Sqlite.Database {
  const { path: file } = options
  const sqlite = connect(file)
  try {
    touchEveryTable(sqlite)
    checkSteps(sqlite, options)
    confirmDamageMark(sqlite, file)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * Backups are copies of a closed file: exact to the page, and no second handle can release SQLite's
 * locks.
 */
function migrateWithBackup(sqlite: Sqlite.Database, options: OpenOptions): Sqlite.Database {
  const [next] = findPendingSteps(sqlite, options.migrations)
  if (!next) return sqlite
  sqlite.close()
  if ((sizeOf(`${options.path}-wal`) ?? 0) > 0)
    throw new StartError(`Another program is using ${options.path}. Close it and start again.`, {
      reason: 'locked',
    })
  const backup = createBackup(options.path, `before-${next.id}`)
  options.log?.info({ backup: backup.path }, 'database backed up before its migration')
  const reopened = connect(options.path)
  try {
    migrate(reopened, options.migrations, options.hook)
    return reopened
  } catch (error) {
    reopened.close()
    throw error
  }
}

function openSound(options: OpenOptions): Sqlite.Database {
  const { path: file } = options
  const damaged = (fault: string, cause?: unknown) =>
    new DamagedDatabaseError(file, fault, {
      backups: findSoundBackups(file),
      isWholeAlone: isWholeWithoutLog(file),
      cause,
    })
  try {
    const inspection = inspectFile(file)
    if (inspection !== null && 'fault' in inspection) throw damaged(inspection.fault)
    if (inspection === null) {
      if (listBackups(file).length > 0)
        throw damaged('the file is gone, but there are backups of it')
      createDatabase(options)
    } else {
      refuseNewerSchema(options, inspection.schemaVersion)
    }
    const sqlite = connectSound(options)
    removeUnfinishedCopies(file)
    return migrateWithBackup(sqlite, options)
  } catch (error) {
    if (isDamage(error)) throw damaged((error as Error).message, error)
    throw toStartError(error, file)
  }
}

/**
 * Opens the database file, migrated and sound as far as a check of its surface can tell; creates it
 * if it never existed.
 */
export function openDatabase(options: OpenOptions): Sqlite.Database {
  try {
    return openSound(options)
  } catch (error) {
    const isDamaged = error instanceof DamagedDatabaseError
    if (!(isDamaged || error instanceof NewerSchemaError) || options.recovery === null) throw error
    if (!isDamaged && !error.choices.includes(options.recovery)) throw error
    if (options.recovery === 'without-log' && !error.choices.includes('without-log')) throw error
    const recovery = recoverDatabase(options.path, options.recovery, options.migrations.length)
    options.log?.warn(
      {
        fault: isDamaged ? error.fault : error.message,
        quarantine: recovery.quarantine,
        restored: recovery.restored?.path ?? null,
      },
      'unusable files of the database were moved aside',
    )
    if (options.recovery === 'fresh') createDatabase(options)
    return openSound(options)
  }
}

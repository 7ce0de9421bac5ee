import { constants, copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { syncFolder } from '../../lib/write-file-atomically.ts'
import {
  copyDatabase,
  findCopyFault,
  findUsableBackups,
  removeCopy,
  toFileTime,
} from '../backups/backups.ts'
import type { Backup } from '../backups/backup.ts'
import { damageMarkOf } from './damage-mark.ts'
import type { RecoveryChoice } from '../errors.ts'
import { isNoFile, logsOf, sizeOf } from './inspect-file.ts'

/** Location of the damaged files, and the backup that replaced them, if any. */
export interface Recovery {
  readonly quarantine: string
  readonly restored: Backup | null
}

/** Copies the newest usable backup beside the database, so that only renames are left to do. */
function prepareBackup(database: string, knownSteps: number): Backup {
  const [backup] = findUsableBackups(database, knownSteps)
  if (!backup)
    throw new StartError(
      `There is no sound backup of ${database}. Start again with DATABASE_RECOVERY=fresh to begin empty.`,
    )
  rmSync(`${database}.restored`, { force: true })
  const fault = copyDatabase(backup.path, `${database}.restored`)
  if (fault !== null)
    throw new StartError(`The backup ${backup.path} could not be copied soundly: ${fault}.`)
  return backup
}

/**
 * Returns true if a database is sound without its log: then only the last writes are lost with the
 * log. Checked on a copy, because SQLite would apply the log.
 */
export function isWholeWithoutLog(database: string): boolean {
  if (!sizeOf(database) || !(sizeOf(`${database}-wal`) || logsOf(database).some(isNoFile)))
    return false
  const copy = `${database}.alone`
  try {
    copyFileSync(database, copy, constants.COPYFILE_FICLONE)
    return findCopyFault(copy) === null
  } catch {
    // Without space for the copy this cannot be determined.
    return false
  } finally {
    removeCopy(copy)
  }
}

/**
 * The log is moved first: a database without its log is still recognised as damaged, a foreign log
 * beside a sound one is not.
 */
function moveAside(database: string, files: readonly string[]): string {
  const quarantine = path.join(path.dirname(database), 'quarantine', toFileTime(new Date()))
  mkdirSync(quarantine, { recursive: true, mode: 0o700 })
  for (const file of files) {
    if (sizeOf(file) !== null) renameSync(file, path.join(quarantine, path.basename(file)))
  }
  syncFolder(quarantine)
  return quarantine
}

/**
 * Moves unusable files to the quarantine folder: only the log, or the database, which is replaced
 * by the newest backup this version can open, or by nothing.
 */
export function recoverDatabase(
  database: string,
  choice: RecoveryChoice,
  knownSteps: number,
): Recovery {
  const restored = choice === 'restore' ? prepareBackup(database, knownSteps) : null
  const isLogAlone = choice === 'without-log'
  const quarantine = moveAside(database, [
    ...logsOf(database),
    ...(isLogAlone ? [] : [database, damageMarkOf(database)]),
  ])
  if (restored) renameSync(`${database}.restored`, database)
  syncFolder(path.dirname(database))
  return { quarantine, restored }
}

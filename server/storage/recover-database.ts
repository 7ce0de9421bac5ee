import { constants, copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../config/start-error.ts'
import { syncFolder } from '../lib/write-file-atomically.ts'
import {
  copyDatabase,
  findCopyFault,
  findUsableBackups,
  removeCopy,
  toFileTime,
} from './backups.ts'
import type { Backup } from './backup.ts'
import { damageMarkOf } from './damage-mark.ts'
import type { RecoveryChoice } from './errors.ts'
import { isNoFile, logsOf, sizeOf } from './inspect-file.ts'

/** Where the damaged files went, and the backup that was put in their place, if any. */
export interface Recovery {
  readonly quarantine: string
  readonly restored: Backup | null
}

/**
 * Puts the newest backup that can be used beside the database, so that only renames are left to do.
 */
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
 * Whether a database is sound when the log beside it is left out: then only what was written last
 * is lost with the log. A copy answers that, as SQLite would take the log in.
 */
export function isWholeWithoutLog(database: string): boolean {
  if (!sizeOf(database) || !(sizeOf(`${database}-wal`) || logsOf(database).some(isNoFile)))
    return false
  const copy = `${database}.alone`
  try {
    copyFileSync(database, copy, constants.COPYFILE_FICLONE)
    return findCopyFault(copy) === null
  } catch {
    // Without space for the copy nobody can say it.
    return false
  } finally {
    removeCopy(copy)
  }
}

/**
 * The log goes first: a database without its log is still recognised as damaged, a foreign log
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
 * Moves what cannot be used into the quarantine folder: the log alone, or the database, whose place
 * takes the newest backup this program can open, or nothing.
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

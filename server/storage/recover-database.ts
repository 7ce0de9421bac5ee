import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../config/start-error.ts'
import { syncFolder } from '../lib/write-file-atomically.ts'
import { copyDatabase, findSoundBackups, toFileTime, type Backup } from './backups.ts'
import { damageMarkOf } from './damage-mark.ts'
import { sizeOf } from './inspect-file.ts'

/** What a person chose for a damaged database. */
export type RecoveryChoice = 'restore' | 'fresh'

/** Where the damaged files went, and the backup that was put in their place, if any. */
export interface Recovery {
  readonly quarantine: string
  readonly restored: Backup | null
}

/** Puts the newest sound backup beside the damaged database, so that only renames are left to do. */
function prepareBackup(database: string): Backup {
  const [backup] = findSoundBackups(database)
  if (!backup) throw new StartError(`There is no sound backup of ${database}. Start again with DATABASE_RECOVERY=fresh to begin empty.`)
  rmSync(`${database}.restored`, { force: true })
  const fault = copyDatabase(backup.path, `${database}.restored`)
  if (fault !== null) throw new StartError(`The backup ${backup.path} could not be copied soundly: ${fault}.`)
  return backup
}

/** The log goes first: a database without its log is still recognised as damaged, a foreign log beside a sound one is not. */
function moveAside(database: string): string {
  const quarantine = path.join(path.dirname(database), 'quarantine', toFileTime(new Date()))
  mkdirSync(quarantine, { recursive: true, mode: 0o700 })
  for (const file of [`${database}-wal`, `${database}-shm`, database, damageMarkOf(database)]) {
    if (sizeOf(file) !== null) renameSync(file, path.join(quarantine, path.basename(file)))
  }
  syncFolder(quarantine)
  return quarantine
}

/** Moves a damaged database into the quarantine folder and restores the newest sound backup, or leaves the place empty. */
export function recoverDatabase(database: string, choice: RecoveryChoice): Recovery {
  const restored = choice === 'restore' ? prepareBackup(database) : null
  const quarantine = moveAside(database)
  if (restored) renameSync(`${database}.restored`, database)
  syncFolder(path.dirname(database))
  return { quarantine, restored }
}

import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { syncFile, syncFolder } from '../../lib/write-file-atomically.ts'
import { DamagedDatabaseError } from '../errors.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { inspectFile } from '../damage/inspect-file.ts'
import type { Backup } from './backup.ts'

export const DAILY = 'daily'
/** Label of a backup requested by an administrator, who alone deletes it. */
export const MANUAL = 'manual'
/** Label of a copy that is deleted after it was sent. */
export const DOWNLOAD = 'download'

/** Number of backups kept of each kind. */
const KEPT_BACKUPS = 3
/** Disk space left free, so that the gateway can keep running after a backup. */
const SPARE_BYTES = 16 * 1024 * 1024
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-([\w-]+)\.db$/

/** Unfinished copies, with the files SQLite creates beside them. */
const UNFINISHED = /^\d{4}-\d\d-\d\dT[\d-]+Z-(download\.db|[\w-]+\.db\.new)(-wal|-shm|-journal)?$/

const folderOf = (database: string): string => path.join(path.dirname(database), 'backups')

/** Returns a timestamp that sorts by name and is a valid file name on every system. */
export const toFileTime = (time: Date): string => time.toISOString().replaceAll(/[:.]/g, '-')

const fromFileTime = (text: string): Date =>
  new Date(text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))

/** Returns all backups of a database, newest first, unchecked. */
export function listBackups(database: string): Backup[] {
  const folder = folderOf(database)
  const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
  return names
    .flatMap((name) => {
      const [, time, label] = NAME.exec(name) ?? []
      return time === undefined || label === undefined
        ? []
        : [{ path: path.join(folder, name), takenAt: fromFileTime(time), label }]
    })
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
}

/**
 * Reads a whole copy and converts it to one file that needs no log beside it; returns the fault, or
 * null.
 */
export function findCopyFault(file: string): string | null {
  const inspection = inspectFile(file)
  if (inspection === null || 'fault' in inspection) return inspection?.fault ?? 'there is no file'
  return findFileFault(file, (sqlite) => sqlite.pragma('journal_mode = DELETE'))
}

/** Returns the backups that can be opened and read completely, newest first. */
export const findSoundBackups = (database: string): Backup[] =>
  listBackups(database).filter(({ path: file }) => findCopyFault(file) === null)

/** Returns those of them that a program knowing this many steps of the schema can open. */
export const findUsableBackups = (database: string, knownSteps: number): Backup[] =>
  findSoundBackups(database).filter(({ path: file }) => {
    const facts = inspectFile(file)
    return facts !== null && 'schemaVersion' in facts && facts.schemaVersion <= knownSteps
  })

/** Removes an incomplete copy with all files SQLite created beside it. */
export function removeCopy(file: string): void {
  for (const leftover of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
    rmSync(leftover, { force: true })
}

/**
 * Copies a closed database durably; a damaged copy gets no name, and its fault is returned instead
 * of null.
 */
export function copyDatabase(source: string, target: string): string | null {
  const temporary = temporaryOf(target)
  try {
    copyFileSync(source, temporary, constants.COPYFILE_FICLONE)
    const fault = findCopyFault(temporary)
    if (fault !== null) return fault
    syncFile(temporary)
    renameSync(temporary, target)
  } finally {
    removeCopy(temporary)
  }
  syncFolder(path.dirname(target))
  return null
}

/**
 * Returns the megabytes to be freed before a backup fits beside its database, or a copy of the
 * given size does; 0 if it fits.
 */
export function findSpaceMissing(database: string, bytes = statSync(database).size): number {
  const { bavail, bsize } = statfsSync(path.dirname(database))
  return Math.max(0, Math.ceil((bytes + SPARE_BYTES - bavail * bsize) / 1024 / 1024))
}

/** Returns the path of a copy until it is checked and gets its name. */
export const temporaryOf = (target: string): string => `${target}.new`

/** Returns an unused name for a new backup, and creates its folder. */
export function planBackup(database: string, label: string, now = new Date()): Backup {
  mkdirSync(folderOf(database), { recursive: true, mode: 0o700 })
  for (let time = now.getTime(); ; time += 1) {
    const takenAt = new Date(time)
    const target = path.join(folderOf(database), `${toFileTime(takenAt)}-${label}.db`)
    if (!existsSync(target) && !existsSync(temporaryOf(target)))
      return { path: target, takenAt, label }
  }
}

/** Removes all but the newest daily backups, or all but the newest made before a change. */
export function pruneBackups(database: string, kind: 'daily' | 'other'): void {
  const ofKind = listBackups(database).filter(
    ({ label }) => label !== MANUAL && (label === DAILY) === (kind === 'daily'),
  )
  for (const { path: file } of ofKind.slice(KEPT_BACKUPS)) rmSync(file, { force: true })
}

/**
 * Removes the incomplete or unsent copies of a killed process; each is as large as the database,
 * and nothing else would remove it.
 */
export function removeUnfinishedCopies(database: string): void {
  const folder = folderOf(database)
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((each) => UNFINISHED.test(each)))
    rmSync(path.join(folder, name), { force: true })
}

/** Backs up a closed database before its schema changes; `label` is its purpose. */
export function createBackup(database: string, label: string): Backup {
  const missing = findSpaceMissing(database)
  if (missing > 0) {
    throw new StartError(
      `The database has to be brought to a new version, and there is no space for the backup that is made first. Free ${missing} MB on the disk of ${database} and start again. Nothing was changed.`,
    )
  }
  const backup = planBackup(database, label)
  const fault = copyDatabase(database, backup.path)
  if (fault !== null)
    throw new DamagedDatabaseError(database, fault, { backups: findSoundBackups(database) })
  pruneBackups(database, 'other')
  return backup
}

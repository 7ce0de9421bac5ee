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
import { StartError } from '../config/start-error.ts'
import { syncFile, syncFolder } from '../lib/write-file-atomically.ts'
import { DamagedDatabaseError } from './errors.ts'
import { findFileFault } from './find-fault.ts'
import { inspectFile } from './inspect-file.ts'
import type { Backup } from './backup.ts'

export const DAILY = 'daily'
/** Asked for by a person, who alone decides when it goes. */
export const MANUAL = 'manual'
/** Of a copy that is gone once it was handed over. */
export const DOWNLOAD = 'download'

/** Of each kind. */
const KEPT_BACKUPS = 3
/** Left free on the disk, so that the gateway can go on working after a backup. */
const SPARE_BYTES = 16 * 1024 * 1024
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-([\w-]+)\.db$/

/** Copies on their way, with what SQLite puts beside them. */
const UNFINISHED = /^\d{4}-\d\d-\d\dT[\d-]+Z-(download\.db|[\w-]+\.db\.new)(-wal|-shm|-journal)?$/

const folderOf = (database: string): string => path.join(path.dirname(database), 'backups')

/** A point in time that sorts by name and is a valid file name on every system. */
export const toFileTime = (time: Date): string => time.toISOString().replaceAll(/[:.]/g, '-')

const fromFileTime = (text: string): Date =>
  new Date(text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))

/** All backups of a database, newest first, unchecked. */
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
 * Reads a whole copy and turns it into one file that needs no log beside it; says what is wrong, or
 * null.
 */
export function findCopyFault(file: string): string | null {
  const inspection = inspectFile(file)
  if (inspection === null || 'fault' in inspection) return inspection?.fault ?? 'there is no file'
  return findFileFault(file, (sqlite) => sqlite.pragma('journal_mode = DELETE'))
}

/** The backups that can be opened and read to their end, newest first. */
export const findSoundBackups = (database: string): Backup[] =>
  listBackups(database).filter(({ path: file }) => findCopyFault(file) === null)

/** Those among them that a program knowing this many steps of the schema can open. */
export const findUsableBackups = (database: string, knownSteps: number): Backup[] =>
  findSoundBackups(database).filter(({ path: file }) => {
    const facts = inspectFile(file)
    return facts !== null && 'schemaVersion' in facts && facts.schemaVersion <= knownSteps
  })

/** Removes a half-made copy with whatever SQLite put beside it. */
export function removeCopy(file: string): void {
  for (const leftover of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
    rmSync(leftover, { force: true })
}

/**
 * Copies a closed database durably; a damaged copy gets no name, its fault is answered instead of
 * null.
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

/** Megabytes to be freed before a backup fits beside its database; 0 when it does. */
export function findSpaceMissing(database: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(database))
  return Math.max(
    0,
    Math.ceil((statSync(database).size + SPARE_BYTES - bavail * bsize) / 1024 / 1024),
  )
}

/** Where a copy grows before it is checked and gets its name. */
export const temporaryOf = (target: string): string => `${target}.new`

/**
 * Names a new backup, unlike those that exist or are being made, and makes the folder it goes to.
 */
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
 * Removes what a killed process was making or handing over; each is as large as the database, and
 * nothing else would remove it.
 */
export function removeUnfinishedCopies(database: string): void {
  const folder = folderOf(database)
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((each) => UNFINISHED.test(each)))
    rmSync(path.join(folder, name), { force: true })
}

/** Backs up a closed database before its schema changes; `label` says what it was made for. */
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

import { constants, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../config/start-error.ts'
import { syncFile, syncFolder } from '../lib/write-file-atomically.ts'
import { findFileFault } from './find-fault.ts'
import { inspectFile } from './inspect-file.ts'

/** A copy of the database taken before a change of its schema. */
export interface Backup {
  readonly path: string
  readonly takenAt: Date
}

const KEPT_BACKUPS = 3
/** Left free on the disk, so that the gateway can go on working after a backup. */
const SPARE_BYTES = 16 * 1024 * 1024
const NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-[\w-]+\.db$/

const folderOf = (database: string): string => path.join(path.dirname(database), 'backups')

/** A point in time that sorts by name and is a valid file name on every system. */
export const toFileTime = (time: Date): string => time.toISOString().replaceAll(/[:.]/g, '-')

const fromFileTime = (text: string): Date => new Date(text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))

/** All backups of a database, newest first, unchecked. */
export function listBackups(database: string): Backup[] {
  const folder = folderOf(database)
  const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
  return names
    .flatMap((name) => {
      const time = NAME.exec(name)?.[1]
      return time === undefined ? [] : [{ path: path.join(folder, name), takenAt: fromFileTime(time) }]
    })
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
}

/** Reads a whole copy and turns it into one file that needs no log beside it; says what is wrong, or null. */
export function findCopyFault(file: string): string | null {
  const inspection = inspectFile(file)
  if (inspection === null || 'fault' in inspection) return inspection?.fault ?? 'there is no file'
  return findFileFault(file, (sqlite) => sqlite.pragma('journal_mode = DELETE'))
}

/** The backups that can be opened and read to their end, newest first. */
export const findSoundBackups = (database: string): Backup[] =>
  listBackups(database).filter(({ path: file }) => findCopyFault(file) === null)

/** Copies a closed database durably and checks the copy before it gets its name; never overwrites. */
export function copyDatabase(source: string, target: string): void {
  const temporary = `${target}.new`
  try {
    copyFileSync(source, temporary, constants.COPYFILE_FICLONE)
    syncFile(temporary)
    const fault = findCopyFault(temporary)
    if (fault !== null) throw new Error(`The copy of ${source} is damaged: ${fault}.`)
    renameSync(temporary, target)
  } catch (error) {
    for (const leftover of [temporary, `${temporary}-wal`, `${temporary}-shm`, `${temporary}-journal`]) rmSync(leftover, { force: true })
    throw error
  }
  syncFolder(path.dirname(target))
}

function requireSpace(database: string): void {
  const needed = statSync(database).size + SPARE_BYTES
  const { bavail, bsize } = statfsSync(path.dirname(database))
  if (bavail * bsize >= needed) return
  const megabytes = Math.ceil((needed - bavail * bsize) / 1024 / 1024)
  throw new StartError(
    `The database has to be brought to a new version, and there is no space for the backup that is made first. Free ${megabytes} MB on the disk of ${database} and start again. Nothing was changed.`,
  )
}

function prune(database: string): void {
  for (const { path: file } of listBackups(database).slice(KEPT_BACKUPS)) rmSync(file, { force: true })
}

/** Backs up a closed database, keeping the newest three; `label` says what it was made for. */
export function createBackup(database: string, label: string): Backup {
  requireSpace(database)
  mkdirSync(folderOf(database), { recursive: true, mode: 0o700 })
  const takenAt = new Date()
  const file = path.join(folderOf(database), `${toFileTime(takenAt)}-${label}.db`)
  copyDatabase(database, file)
  prune(database)
  return { path: file, takenAt }
}

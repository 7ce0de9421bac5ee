import Sqlite from 'better-sqlite3'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { removeCopy } from '../backups/backups.ts'
import { findFileFault } from '../damage/find-fault.ts'
import { findPendingSteps, migrate, readAppliedSteps } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'
import { joinBlocks } from './blocks.ts'
import { readContent } from './manifest.ts'
import { DamagedSnapshotError, snapshotPlaces } from './snapshot.ts'

function bringUpToDate(file: string): void {
  const sqlite = new Sqlite(file, { fileMustExist: true })
  try {
    // One file that needs no log beside it.
    sqlite.pragma('journal_mode = DELETE')
    if (
      readAppliedSteps(sqlite).length + findPendingSteps(sqlite, migrations).length >
      migrations.length
    )
      throw new DamagedSnapshotError(
        'This snapshot was made by a newer version of Chat Gateway. Update before you open it.',
      )
    migrate(sqlite, migrations)
  } finally {
    sqlite.close()
  }
}

/**
 * Reassembles the database of a snapshot as a separate file, checks it and migrates its schema.
 * Throws a `DamagedSnapshotError`. For threads.
 */
export function joinSnapshot(folder: string, id: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  removeCopy(target)
  try {
    joinBlocks(snapshotPlaces(folder).blocks, readContent(folder, id).blocks, target)
    const fault = findFileFault(target)
    if (fault !== null) throw new DamagedSnapshotError(`This snapshot is damaged: ${fault}.`)
    bringUpToDate(target)
  } catch (error) {
    removeCopy(target)
    throw error
  }
}

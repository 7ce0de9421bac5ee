import type Sqlite from 'better-sqlite3'
import { closeSync, openSync, renameSync } from 'node:fs'
import path from 'node:path'
import { conflict } from '../../lib/errors.ts'
import { syncFile, syncFolder } from '../../lib/write-file-atomically.ts'
import { askWorker } from '../ask-worker.ts'
import { removeCopy, temporaryOf } from './backups.ts'
import { checkIntegrity } from '../damage/check-integrity.ts'
import { sizeOf } from '../damage/inspect-file.ts'

/** Copies in another thread; returns the fault of the copy, or null. */
async function copy(sqlite: Sqlite.Database, target: string): Promise<string | null> {
  if (!sqlite.memory)
    return askWorker(import.meta.dirname, 'back-up-worker', { database: sqlite.name, target })
  await sqlite.backup(target)
  return checkIntegrity(target)
}

/** Copies a database that is in use, and checks the copy before it gets its name. */
export async function backUpOnline(sqlite: Sqlite.Database, target: string): Promise<void> {
  if (sizeOf(target) !== null)
    throw conflict(`${target} exists already; choose another name for the backup.`)
  const temporary = temporaryOf(target)
  try {
    removeCopy(temporary)
    closeSync(openSync(temporary, 'wx', 0o600))
    const fault = await copy(sqlite, temporary)
    if (fault !== null) throw new Error(`The copy of the database is damaged: ${fault}.`)
    syncFile(temporary)
    renameSync(temporary, target)
  } finally {
    removeCopy(temporary)
  }
  syncFolder(path.dirname(target))
}

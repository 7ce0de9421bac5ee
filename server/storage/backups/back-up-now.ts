import { diskFull } from '../../lib/errors.ts'
import type { Backup } from './backup.ts'
import { findSpaceMissing, planBackup } from './backups.ts'
import type { Storage } from '../index.ts'
import { onlyOnSqlite } from '../only-on-sqlite.ts'

/** Returns the file of the database; throws 400 if there is none. */
export function requireFile(storage: Storage): string {
  if (storage.engine === 'sqlite') return storage.sqlite.name
  throw onlyOnSqlite('Make backups with pg_dump.', 'backup_elsewhere')
}

/** Copies the database while it is in use; throws with an error message if there is no space. */
export async function backUpNow(storage: Storage, label: string): Promise<Backup> {
  const database = requireFile(storage)
  const missing = findSpaceMissing(database)
  if (missing > 0)
    throw diskFull(
      `There is no space for a backup. Free ${missing} MB on the disk of the data folder.`,
    )
  const backup = planBackup(database, label)
  await storage.backup(backup.path)
  return backup
}

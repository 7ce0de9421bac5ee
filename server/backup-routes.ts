import { statSync } from 'node:fs'
import { endpoints } from '#contract/endpoints.ts'
import { diskFull } from './lib/errors.ts'
import { route, type Route } from './lib/http.ts'
import { findSpaceMissing, listBackups, MANUAL, planBackup, type Backup } from './storage/backups.ts'
import type { Storage } from './storage/index.ts'

function describeBackup({ path, label, takenAt }: Backup) {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return { path, label, bytes, created_at: Math.floor(takenAt.getTime() / 1000) }
}

/** Copies of the database on demand, for administrators. */
export function createBackupRoutes(storage: Storage): Route[] {
  const database = storage.sqlite.name
  return [
    route(endpoints.backups.list, () => listBackups(database).map(describeBackup)),
    route(endpoints.backups.create, async () => {
      const missing = findSpaceMissing(database)
      if (missing > 0) throw diskFull(`There is no space for a backup. Free ${missing} MB on the disk of the data folder.`)
      const backup = planBackup(database, MANUAL)
      await storage.backup(backup.path)
      return describeBackup(backup)
    }),
  ]
}

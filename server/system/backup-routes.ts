import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { endpoints } from '#contract/endpoints.ts'
import { forbidden } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { sendFile } from '../lib/serving/send-file.ts'
import { backUpNow, requireFile } from '../storage/backups/back-up-now.ts'
import { DOWNLOAD, listBackups, MANUAL } from '../storage/backups/backups.ts'
import type { Backup } from '../storage/backups/backup.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'

function describeBackup({ path: file, label, takenAt }: Backup) {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return { path: file, label, bytes, created_at: Math.floor(takenAt.getTime() / 1000) }
}

/** Creates the routes for copies of the database on demand, for administrators. */
export function createBackupRoutes(
  storage: Storage,
  settings: Settings<'ENABLE_ADMIN_EXPORT'>,
): Route[] {
  return [
    route(endpoints.backups.list, () => listBackups(requireFile(storage)).map(describeBackup)),
    route(endpoints.backups.create, async () => describeBackup(await backUpNow(storage, MANUAL))),
    httpRoute(endpoints.backups.download, async ({ response, signal }) => {
      if (!settings.get('ENABLE_ADMIN_EXPORT'))
        throw forbidden("Exporting everyone's data is turned off on this gateway.", {
          code: 'feature_off',
        })
      const copy = await backUpNow(storage, DOWNLOAD)
      try {
        response.writeHead(200, {
          'Content-Type': 'application/vnd.sqlite3',
          'Content-Length': statSync(copy.path).size,
          'Content-Disposition': `attachment; filename="${path.basename(storage.sqlite.name)}"`,
          'Cache-Control': 'no-store',
        })
        await sendFile(copy.path, response, { signal })
      } catch (error) {
        // A caller that disconnects during the transfer needs no error.
        if (!signal.aborted) throw error
      } finally {
        await rm(copy.path, { force: true })
      }
    }),
  ]
}

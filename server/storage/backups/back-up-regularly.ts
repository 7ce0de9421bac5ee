import { DAILY, findSpaceMissing, listBackups, planBackup, pruneBackups } from './backups.ts'
import type { Backup } from './backup.ts'
import type { Storage } from '../index.ts'

const DAY_MILLISECONDS = 86_400_000

/**
 * Makes a checked copy if the newest is a day old, so that a damaged database can be restored
 * almost completely. Returns null if none is due; throws if there is no space. Must be called from
 * time to time.
 */
export async function backUpIfDue(
  storage: Storage,
  database: string,
  now = new Date(),
): Promise<Backup | null> {
  const isRecent = listBackups(database).some(({ label, takenAt }) => {
    const age = now.getTime() - takenAt.getTime()
    // A backup from the future was taken while the clock was wrong.
    return label === DAILY && age >= 0 && age < DAY_MILLISECONDS
  })
  if (isRecent) return null
  const missing = findSpaceMissing(database)
  if (missing > 0)
    throw new Error(`The daily backup needs ${missing} MB more on the disk of ${database}.`)
  const backup = planBackup(database, DAILY, now)
  await storage.backup(backup.path)
  pruneBackups(database, 'daily')
  return backup
}

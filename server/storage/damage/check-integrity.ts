import { askWorker } from '../ask-worker.ts'
import { markDamaged } from './damage-mark.ts'

/** Reads a whole database in another thread; resolves with its fault, or null. */
export const checkIntegrity = (file: string): Promise<string | null> =>
  askWorker(import.meta.dirname, 'check-integrity-worker', file)

/**
 * Checks the database in use; a fault is recorded for the next start, which then offers the
 * backups, and reported.
 */
export async function watchIntegrity(
  database: string,
  onDamage: (fault: string) => void,
): Promise<void> {
  const fault = await checkIntegrity(database)
  if (fault === null) return
  markDamaged(database, fault)
  onDamage(fault)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../lib/errors.ts'

/** Load balancers ask every few seconds, and are to hear of an outage within five. */
const PATIENCE_MILLISECONDS = 2000

/** A database that can be asked whether it is there. */
export interface Reachable {
  ping(): void | Promise<void>
}

async function ping(database: Reachable): Promise<true> {
  await database.ping()
  return true
}

/** Throws 503 when the database does not answer, or not soon. */
export async function reachDatabase(
  database: Reachable,
  patience = PATIENCE_MILLISECONDS,
): Promise<{ status: true }> {
  const waiting = unavailable('Waiting for the database.', { code: 'database_unavailable' })
  const isThere = await Promise.race([
    ping(database),
    sleep(patience, false, { ref: false }),
  ]).catch(() => false)
  if (!isThere) throw waiting
  return { status: true }
}

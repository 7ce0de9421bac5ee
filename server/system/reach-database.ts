import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../lib/errors.ts'

/**
 * Time limit for a response; load balancers check every few seconds, and must detect an outage
 * within five.
 */
const PATIENCE_MILLISECONDS = 2000

/** Database that can be pinged. */
export interface Reachable {
  ping(): void | Promise<void>
}

async function ping(database: Reachable): Promise<true> {
  await database.ping()
  return true
}

/** Throws 503 if the database does not respond in time. */
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

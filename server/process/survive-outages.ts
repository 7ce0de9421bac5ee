import { ServiceError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'

/**
 * Keeps the gateway running if the database becomes unavailable during work that no caller awaits:
 * it will be back soon, and all other work would end too. Every other unhandled rejection still
 * ends the process. Returns a function that stops this.
 */
export function surviveOutages(log: Logger): () => void {
  const take = (error: unknown): void => {
    if (!(error instanceof ServiceError && error.code === 'database_unavailable')) throw error
    log.warn({ error }, 'something nobody waits for was not done, as the database is away')
  }
  process.on('unhandledRejection', take)
  return () => void process.off('unhandledRejection', take)
}

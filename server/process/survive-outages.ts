import { ServiceError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'

/**
 * A database that goes away while something is done that nobody waits for must not end the gateway:
 * it is there again soon, and all others would end with it. Everything else that nobody caught still
 * ends the process. Answers how to stop.
 */
export function surviveOutages(log: Logger): () => void {
  const take = (error: unknown): void => {
    if (!(error instanceof ServiceError && error.code === 'database_unavailable')) throw error
    log.warn({ error }, 'something nobody waits for was not done, as the database is away')
  }
  process.on('unhandledRejection', take)
  return () => void process.off('unhandledRejection', take)
}

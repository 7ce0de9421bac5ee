import { ServiceError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'

const isOutage = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'database_unavailable'

const ignore = (): void => undefined

/**
 * Keeps the gateway running after errors that no code handles, such as one thrown in a callback of
 * a connection: otherwise a single request could end the answers of all users. Returns a function
 * that stops this.
 *
 * @NOTE The call that caused the error may never be answered. Everything shared is either changed
 *   in transactions or owned by one call, so the other calls are not affected.
 */
export function surviveFaults(log: Pick<Logger, 'warn' | 'error'>): () => void {
  const onRejection = (error: unknown): void => {
    if (isOutage(error))
      log.warn({ error }, 'background work failed because the database is unavailable')
    else log.error({ error }, 'a rejected promise was not handled; the gateway continues')
  }
  const onException = (error: unknown): void =>
    log.error({ error }, 'an error was not caught; the gateway continues')
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  // If the program that reads the output has ended, a report of that error would fail as well, and
  // so on without end.
  for (const output of [process.stdout, process.stderr]) output.on('error', ignore)
  return () => {
    for (const output of [process.stdout, process.stderr]) output.off('error', ignore)
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

import type { Environment } from './env.ts'
import { StartError } from './start-error.ts'

/**
 * Returns the URL of a Redis; null for none. Never part of a message, because it may contain a
 * password.
 */
export function parseRedisUrl(environment: Environment): string | null {
  const text = environment['REDIS_URL']?.trim() ?? ''
  if (text === '') return null
  if (/^rediss?:\/\/\S+$/i.test(text) && URL.canParse(text)) return text
  throw new StartError(
    'REDIS_URL is not possible. Allowed: empty, or an address that starts with redis:// or rediss://.',
    { exitCode: 2 },
  )
}

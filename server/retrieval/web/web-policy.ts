import type { FetchPolicy } from '../../lib/guarded-fetch.ts'
import type { Settings } from '../../settings/index.ts'

const MEGABYTE = 1_000_000

/** What the settings say of fetching addresses people give. */
export const readFetchPolicy = (
  settings: Pick<Settings, 'boolean' | 'integer' | 'list'>,
): FetchPolicy => ({
  allowedHosts: settings.list('WEB_FETCH_ALLOWED_HOSTS'),
  allowLocal: settings.boolean('ENABLE_LOCAL_WEB_FETCH'),
  maximumBytes: settings.integer('WEB_FETCH_MAX_SIZE') * MEGABYTE,
  timeoutMilliseconds: settings.integer('WEB_FETCH_TIMEOUT') * 1000,
  offline: settings.boolean('OFFLINE_MODE'),
})

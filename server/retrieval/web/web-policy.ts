import type { FetchPolicy } from '../../lib/outgoing/guarded-fetch.ts'
import type { Settings } from '../../settings/index.ts'

const MEGABYTE = 1_000_000

/** Settings of fetching. */
export type FetchSettings = Settings<
  | 'ENABLE_LOCAL_WEB_FETCH'
  | 'OFFLINE_MODE'
  | 'WEB_FETCH_ALLOWED_HOSTS'
  | 'WEB_FETCH_MAX_SIZE'
  | 'WEB_FETCH_TIMEOUT'
>

/** Returns the policy for fetching URLs given by users. */
export const readFetchPolicy = (settings: FetchSettings): FetchPolicy => ({
  allowedHosts: settings.get('WEB_FETCH_ALLOWED_HOSTS'),
  allowLocal: settings.get('ENABLE_LOCAL_WEB_FETCH'),
  maximumBytes: settings.get('WEB_FETCH_MAX_SIZE') * MEGABYTE,
  timeoutMilliseconds: settings.get('WEB_FETCH_TIMEOUT') * 1000,
  offline: settings.get('OFFLINE_MODE'),
})

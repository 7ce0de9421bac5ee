import type { FetchPolicy } from '../../lib/guarded-fetch.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'

const MEGABYTE = 1_000_000

/** What the settings say of fetching addresses people give. */
export const readFetchPolicy = (settings: RetrievalSettings): FetchPolicy => ({
  allowedHosts: settings.get('WEB_FETCH_ALLOWED_HOSTS'),
  allowLocal: settings.get('ENABLE_LOCAL_WEB_FETCH'),
  maximumBytes: settings.get('WEB_FETCH_MAX_SIZE') * MEGABYTE,
  timeoutMilliseconds: settings.get('WEB_FETCH_TIMEOUT') * 1000,
  offline: settings.get('OFFLINE_MODE'),
})

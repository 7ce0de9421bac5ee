import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import { translate } from '../lib/i18n.ts'
import { ApiError } from './api-error.ts'

/**
 * Storage belongs to scheme, host and port; the cookie goes to every port of the host and is worth
 * little without this.
 */
const PLACE = 'session-key'

/**
 * The half of the session this page keeps; null when nobody signed in here. Read anew each time, as
 * another window may have signed in.
 */
export function readSessionKey(): string | null {
  try {
    return localStorage.getItem(PLACE)
  } catch {
    // A browser that keeps nothing for this site keeps nobody signed in.
    return null
  }
}

/**
 * Keeps the half for this window and the others of this origin; throws a sentence where the browser
 * does not let it.
 */
export function keepSessionKey(key: string): void {
  try {
    localStorage.setItem(PLACE, key)
  } catch {
    throw new ApiError({
      status: 0,
      detail: translate('auth.storageBlocked'),
      code: 'storage_blocked',
    })
  }
}

/** Calls back when another window of this browser got a half of a session; answers how to stop. */
export function onSessionKeyOfOtherWindow(listener: () => void): () => void {
  const handleStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === PLACE && newValue !== null) listener()
  }
  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}

export function forgetSessionKey(): void {
  try {
    localStorage.removeItem(PLACE)
  } catch {
    // Nothing was kept.
  }
}

/** What every call of this page to the gateway carries. */
export function callHeaders(): Record<string, string> {
  const key = readSessionKey()
  return { 'X-Requested-With': 'chat-gateway', ...(key !== null && { [SESSION_KEY_HEADER]: key }) }
}

/** Keeps the half that an answer hands out, as every way to sign in does. */
export function takeSessionKey({ headers }: Response): void {
  const key = headers.get(SESSION_KEY_HEADER)
  if (key !== null) keepSessionKey(key)
}

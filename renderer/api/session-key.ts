import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import { translate } from '../lib/i18n.ts'
import { ApiError } from './api-error.ts'

/**
 * Storage is bound to scheme, host and port; the cookie is sent to every port of the host and is of
 * little use without this key.
 */
const PLACE = 'session-key'

/**
 * Returns the half of the session kept by this page; null when not signed in here. Read each time,
 * as another window may have signed in.
 */
export function readSessionKey(): string | null {
  try {
    return localStorage.getItem(PLACE)
  } catch {
    // If the browser stores nothing for this site, no session can be kept.
    return null
  }
}

/**
 * Stores the key for all windows of this origin; throws an error with a readable message if the
 * browser does not allow it.
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

/**
 * Calls the listener when another window of this browser received a session key; returns the
 * function that unsubscribes.
 */
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
    // Nothing was stored.
  }
}

/** Returns the headers of every call from this page to the gateway. */
export function callHeaders(): Record<string, string> {
  const key = readSessionKey()
  return { 'X-Requested-With': 'chat-gateway', ...(key !== null && { [SESSION_KEY_HEADER]: key }) }
}

/** Stores the session key of a response; every sign-in method returns one. */
export function takeSessionKey({ headers }: Response): void {
  const key = headers.get(SESSION_KEY_HEADER)
  if (key !== null) keepSessionKey(key)
}

/**
 * What stands before the secret in the link of a guest pass. Browsers send nothing behind `#` to
 * anybody.
 */
export const GUEST_HASH = '#guest='

/** The secret the address of this page brings, which is taken out of it; null without one. */
export function takeGuestSecret(): string | null {
  if (!location.hash.startsWith(GUEST_HASH)) return null
  const secret = location.hash.slice(GUEST_HASH.length)
  history.replaceState(null, '', location.pathname + location.search)
  return secret
}

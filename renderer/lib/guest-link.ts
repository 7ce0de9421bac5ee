/** Prefix of the secret in a guest pass link. Browsers never send the part after `#`. */
export const GUEST_HASH = '#guest='

/** Returns the secret in this page's URL and removes it from there; null if there is none. */
export function takeGuestSecret(): string | null {
  if (!location.hash.startsWith(GUEST_HASH)) return null
  const secret = location.hash.slice(GUEST_HASH.length)
  history.replaceState(null, '', location.pathname + location.search)
  return secret
}

const OPENABLE = new Set(['http:', 'https:', 'mailto:'])

// oxlint-disable-next-line no-control-regex -- control characters can hide a scheme from a reader
const HIDDEN = /[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

/**
 * Returns the URL if it is safe to open: absolute, with a known scheme, without hidden characters.
 * Otherwise null.
 */
export function toSafeLink(address: unknown): URL | null {
  if (typeof address !== 'string' || address.length > 4096 || HIDDEN.test(address)) return null
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const hasLogin = url.username !== '' || url.password !== ''
  return OPENABLE.has(url.protocol) && !hasLogin ? url : null
}

/** Returns the part of a URL that tells a reader its target. */
export const linkPlace = (url: URL): string =>
  url.protocol === 'mailto:' ? url.pathname : url.host

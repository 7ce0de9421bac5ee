import type { ArtifactProblem } from './artifact-protocol.ts'

/** URLs in the source, including those without a scheme. */
const ADDRESS = /(?:\b(?:https?|wss?):)?\/\/[^\s"'`<>(){}\\,;]+/gi
/** Origin of XML namespace names, which are never requested. */
const VOCABULARY = /^https?:\/\/(www\.)?w3\.org$/
/** Origins that a policy can name; the gateway accepts no others. */
const NAMEABLE =
  /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d+)?$/
const MOST = 12

/** Returns the origin of a URL; null if it has none, or leads to the gateway itself. */
export function toOrigin(address: string): string | null {
  const whole = address.startsWith('//') ? `https:${address}` : address
  const url = URL.parse(whole.replace(/^ws/i, 'http'))
  if (!url || !NAMEABLE.test(url.origin) || VOCABULARY.test(url.origin)) return null
  if (url.host === location.host) return null
  // A single word after `//` is more likely a comment.
  const isName = url.hostname.includes('.') || url.hostname === 'localhost'
  return isName || !address.startsWith('//') ? url.origin : null
}

/** Returns the other origins that an artifact names in its source or requested while it ran. */
export function findOrigins(
  source: string,
  problems: readonly ArtifactProblem[],
): readonly string[] {
  const asked = problems.filter(({ kind }) => kind === 'blocked').map(({ text }) => text)
  const written = source.match(ADDRESS) ?? []
  const origins = [...asked, ...written].map(toOrigin).filter((origin) => origin !== null)
  return [...new Set(origins)].slice(0, MOST)
}

const NEARBY =
  /^(localhost|.*\.(localhost|local|lan|internal|home\.arpa)|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*|[^.]+)$/

/** Reports whether the origin is this computer or in the local network. */
export const isNearby = (origin: string): boolean => NEARBY.test(new URL(origin).hostname)

import type { ArtifactProblem } from './artifact-protocol.ts'

/** Addresses in the source, also those that leave the scheme to the page. */
const ADDRESS = /(?:\b(?:https?|wss?):)?\/\/[^\s"'`<>(){}\\,;]+/gi
/** Names of vocabularies, which nobody asks for. */
const VOCABULARY = /^https?:\/\/(www\.)?w3\.org$/
/** What a policy can name; the gateway takes no other. */
const NAMEABLE =
  /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d+)?$/
const MOST = 12

/** The computer an address leads to; null for what leads to none, or to the gateway itself. */
export function toOrigin(address: string): string | null {
  const whole = address.startsWith('//') ? `https:${address}` : address
  const url = URL.parse(whole.replace(/^ws/i, 'http'))
  if (!url || !NAMEABLE.test(url.origin) || VOCABULARY.test(url.origin)) return null
  if (url.host === location.host) return null
  // A word that stands behind two strokes is more likely a comment.
  const isName = url.hostname.includes('.') || url.hostname === 'localhost'
  return isName || !address.startsWith('//') ? url.origin : null
}

/** The other computers an artifact names in its source, or asked for while it ran. */
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

/** Whether it is this computer or one of the own network. */
export const isNearby = (origin: string): boolean => NEARBY.test(new URL(origin).hostname)

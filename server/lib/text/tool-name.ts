import { createHash } from 'node:crypto'

const LONGEST = 64
const HASH_LENGTH = 8

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)

/**
 * Returns a name every model vendor accepts; a changed name ends with a hash, so that two names
 * never become equal.
 */
export function toToolName(...parts: readonly string[]): string {
  const wanted = parts.filter((part) => part !== '').join('_')
  const plain = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '_')
  if (plain === wanted && plain !== '' && plain.length <= LONGEST) return plain
  return `${plain.slice(0, LONGEST - HASH_LENGTH - 1)}_${shortHash(wanted)}`
}

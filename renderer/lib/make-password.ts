/** Letters and digits that cannot be confused with each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/** Returns a uniformly distributed integer below `count`. */
function pick(count: number): number {
  const limit = 256 - (256 % count)
  const byte = new Uint8Array(1)
  do crypto.getRandomValues(byte)
  while (byte[0]! >= limit)
  return byte[0]! % count
}

/**
 * Generates a password that is easy to read out and type: groups of four letters, four groups by
 * default.
 */
export const makePassword = (groups = GROUPS): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[pick(LETTERS.length)]).join(''),
  ).join('-')

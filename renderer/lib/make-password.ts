/** Letters and digits that cannot be mistaken for each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/** One of `count` with equal chances. */
function pick(count: number): number {
  const limit = 256 - (256 % count)
  const byte = new Uint8Array(1)
  do crypto.getRandomValues(byte)
  while (byte[0]! >= limit)
  return byte[0]! % count
}

/**
 * A password that can be read out and typed: groups of four letters, four of them unless more are
 * asked for.
 */
export const makePassword = (groups = GROUPS): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[pick(LETTERS.length)]).join(''),
  ).join('-')

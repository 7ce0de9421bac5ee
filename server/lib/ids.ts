import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** Returns a new UUID v4, for records and requests. */
export const newId = (): string => randomUUID()

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns `length` random base62 characters without bias; 43 carry 256 bits. */
export function randomToken(length = 43): string {
  let token = ''
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && token.length < length) token += BASE62[byte % 62]
    }
  }
  return token
}

const HEX_BYTES = 16
const pool = Buffer.alloc(HEX_BYTES * 256)
let taken = pool.length

/**
 * Returns 32 random lower-case hex digits, for ids other than UUIDs. Many are generated at a time,
 * because each call of the generator is expensive.
 */
export function randomHex(): string {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += HEX_BYTES
  return pool.toString('hex', taken - HEX_BYTES, taken)
}

/** Returns the current time in unix seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

import { randomBytes, randomUUID } from 'node:crypto'

/** A new UUID v4, for records and requests. */
export const newId = (): string => randomUUID()

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` random base62 characters without bias; 43 carry 256 bits. */
export function randomToken(length = 43): string {
  let token = ''
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && token.length < length) token += BASE62[byte % 62]
    }
  }
  return token
}

/** The current time in unix seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

import { randomBytes } from 'node:crypto'
import { badRequest } from '../lib/errors.ts'
import { HashQueue, type HashLine } from './hash-queue.ts'

/** argon2id (the library's default variant) with 19 MiB, two passes, one lane. */
export const PASSWORD_COST = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
export const LARGEST_PASSWORD_BYTES = 1024

/** Loads the native library, on the first sign-in. */
const loadArgon2 = () => import('@node-rs/argon2')

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Returns a hash that no password matches, made of random bytes. */
const createUnmatchableHash = (): string =>
  `$argon2id$v=19$m=${PASSWORD_COST.memoryCost},t=${PASSWORD_COST.timeCost},p=${PASSWORD_COST.parallelism}` +
  `$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`

const toBytes = (password: string): Buffer => Buffer.from(password.normalize('NFC'), 'utf8')

export class Passwords {
  readonly #queue: HashQueue
  readonly #unmatchable = createUnmatchableHash()

  constructor(queue: HashQueue = new HashQueue()) {
    this.#queue = queue
  }

  /** Throws 400 for an invalid password, 429 if too many are being hashed. */
  async hash(password: string, line?: HashLine): Promise<string> {
    const bytes = toBytes(password)
    if (bytes.length > LARGEST_PASSWORD_BYTES)
      throw badRequest(`A password has at most ${LARGEST_PASSWORD_BYTES} bytes.`)
    if (password.trim() === '')
      throw badRequest('A password needs at least one character that is not a space.')
    const argon2 = await loadArgon2()
    return this.#queue.run(() => argon2.hash(bytes, PASSWORD_COST), line)
  }

  /**
   * Takes as long for `stored === null` as for a wrong password, so that the time does not reveal
   * which accounts exist.
   */
  async verify(stored: string | null, password: string, line?: HashLine): Promise<boolean> {
    const bytes = toBytes(password)
    if (bytes.length > LARGEST_PASSWORD_BYTES) return false
    const argon2 = await loadArgon2()
    return this.#queue.run(() => argon2.verify(stored ?? this.#unmatchable, bytes), line)
  }

  async needsRehash(stored: string): Promise<boolean> {
    const { parseOptions } = await loadArgon2()
    const options = parseOptions(stored)
    return (
      options.memoryCost < PASSWORD_COST.memoryCost || options.timeCost < PASSWORD_COST.timeCost
    )
  }
}

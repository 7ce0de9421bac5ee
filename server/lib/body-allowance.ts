import type { IncomingMessage } from 'node:http'
import { tooManyRequests, unavailable, type ServiceError } from './errors.ts'
import type { JsonBounds } from './json-bounds.ts'

/** What one value of a parsed body takes in memory besides its bytes, roughly. */
const BYTES_OF_A_VALUE = 64
const RETRY_SECONDS = 1
/** One address may hold this share of what callers without an account may hold together. */
const SHARE_OF_AN_ADDRESS = 1 / 16
/** Steps in which room is asked for, so that a body of many small pieces asks seldom. */
const STEP = 1024

/** What administrators may change of the bounds. */
export interface IntakeLimits extends JsonBounds {
  /** Bytes of bodies that one account may have under way. */
  readonly accountBytes: number
  /** The same for all callers without an account together. */
  readonly anonymousBytes: number
}

export const USUAL_LIMITS: IntakeLimits = { values: 500_000, depth: 200, accountBytes: 256 * 1024 * 1024, anonymousBytes: 16 * 1024 * 1024 }

const toMegabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MiB`

const accountFull = (limit: number): ServiceError =>
  tooManyRequests(
    `Requests of this account that are not answered yet hold more than ${toMegabytes(limit)}. ` +
      'Wait until some of them have ended, or ask an administrator to raise REQUEST_MEMORY_PER_ACCOUNT.',
    RETRY_SECONDS,
  )

const addressFull = (limit: number): ServiceError =>
  tooManyRequests(
    `Requests from this address that nobody has signed in for hold more than ${Math.round(limit / 1024)} KiB, ` +
      'a sixteenth of REQUEST_MEMORY_ANONYMOUS. Try again in a moment.',
    RETRY_SECONDS,
  )

const anonymousFull = (limit: number): ServiceError =>
  unavailable(
    `Requests that nobody has signed in for hold more than ${toMegabytes(limit)} (REQUEST_MEMORY_ANONYMOUS). Try again in a moment.`,
    { headers: { 'Retry-After': String(RETRY_SECONDS) } },
  )

/** Room for the body of one call. */
export interface BodyAllowance {
  readonly bounds: JsonBounds
  /** What the body takes by now; 429 or 503 when there is no room for it. */
  hold(bytes: number, values: number): void
  /** Throws what `hold` would throw for a body of this length, before any of it is read. */
  check(bytes: number): void
  release(): void
}

interface Holder {
  readonly key: string
  readonly limit: number
  readonly refuse: (limit: number) => ServiceError
}

/** Counts the memory of bodies from their first byte until their call has ended, per account and for everybody without one. */
export class BodyIntake {
  readonly #limits: () => IntakeLimits
  readonly #addressOf: (request: IncomingMessage) => string
  readonly #held = new Map<string, number>()

  constructor(
    limits: () => IntakeLimits = () => USUAL_LIMITS,
    addressOf: (request: IncomingMessage) => string = ({ socket }) => socket.remoteAddress ?? '',
  ) {
    this.#limits = limits
    this.#addressOf = addressOf
  }

  open(userId: string | null, request: IncomingMessage): BodyAllowance {
    const limits = this.#limits()
    const holders: Holder[] =
      userId === null ? this.#anonymous(limits, request) : [{ key: `account ${userId}`, limit: limits.accountBytes, refuse: accountFull }]
    let held = 0
    const check = (wanted: number): void => {
      const full = holders.find(({ key, limit }) => (this.#held.get(key) ?? 0) + wanted - held > limit)
      if (full) throw full.refuse(full.limit)
    }
    return {
      bounds: limits,
      check,
      hold: (bytes, values) => {
        const wanted = Math.ceil((bytes + values * BYTES_OF_A_VALUE) / STEP) * STEP
        if (wanted <= held) return
        check(wanted)
        for (const { key } of holders) this.#add(key, wanted - held)
        held = wanted
      },
      release: () => {
        for (const { key } of holders) this.#add(key, -held)
        held = 0
      },
    }
  }

  #anonymous({ anonymousBytes }: IntakeLimits, request: IncomingMessage): Holder[] {
    return [
      { key: `address ${this.#addressOf(request)}`, limit: anonymousBytes * SHARE_OF_AN_ADDRESS, refuse: addressFull },
      { key: 'anonymous', limit: anonymousBytes, refuse: anonymousFull },
    ]
  }

  #add(key: string, bytes: number): void {
    const held = (this.#held.get(key) ?? 0) + bytes
    if (held <= 0) this.#held.delete(key)
    else this.#held.set(key, held)
  }
}

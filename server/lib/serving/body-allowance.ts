import type { IncomingMessage } from 'node:http'
import { tooManyRequests, unavailable, type ServiceError } from '../errors.ts'

/** Approximate memory of one value of a parsed body, in addition to its bytes. */
const BYTES_OF_A_VALUE = 64
const RETRY_SECONDS = 1
/** Share of the memory for callers without an account that one address may use. */
const SHARE_OF_AN_ADDRESS = 1 / 16
/** Granularity of memory reservations, so that a body of many small chunks reserves seldom. */
const STEP = 1024

/** Limits that administrators can change. */
export interface IntakeLimits {
  /**
   * Maximum number of values in a body, in one with chats to import, in one with a single record to
   * store, and maximum depth of any.
   */
  readonly values: number
  readonly importValues: number
  readonly recordValues: number
  readonly depth: number
  /** Maximum size in bytes of the body of a call that needs no account. */
  readonly unknownBytes: number
  /** Maximum total size in bytes of bodies one account may have in progress. */
  readonly accountBytes: number
  /** Maximum total size in bytes of bodies in progress of all callers without an account together. */
  readonly anonymousBytes: number
}

export const USUAL_LIMITS: IntakeLimits = {
  values: 500_000,
  importValues: 2_000_000,
  recordValues: 50_000,
  depth: 200,
  unknownBytes: 64 * 1024,
  accountBytes: 256 * 1024 * 1024,
  anonymousBytes: 16 * 1024 * 1024,
}

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

interface Holder {
  readonly key: string
  readonly limit: number
  readonly refuse: (limit: number) => ServiceError
}

/** Memory reservation for the body of one call. */
export class BodyAllowance {
  readonly limits: IntakeLimits
  readonly #intake: BodyIntake
  readonly #holders: readonly Holder[]
  readonly #givesWay: boolean
  #refusal: ServiceError | null = null
  #onRefused: ((refusal: ServiceError) => void) | null = null
  /** Number of bytes currently reserved for it. */
  held = 0

  constructor(
    intake: BodyIntake,
    limits: IntakeLimits,
    holders: readonly Holder[],
    givesWay: boolean,
  ) {
    this.#intake = intake
    this.limits = limits
    this.#holders = holders
    this.#givesWay = givesWay
  }

  /** Reserves memory for the body received so far; throws 429 or 503 if the limit is reached. */
  hold(bytes: number, values: number): void {
    if (this.#refusal) throw this.#refusal
    const wanted = Math.ceil((bytes + values * BYTES_OF_A_VALUE) / STEP) * STEP
    if (wanted <= this.held) return
    try {
      this.check(wanted)
    } catch (refusal) {
      // The reserved memory is released at once, long before the connection ends. Otherwise all
      // simultaneous bodies would be rejected, and not only those beyond the limit.
      this.release()
      this.#refusal = refusal as ServiceError
      throw refusal
    }
    for (const holder of this.#holders) this.#intake.makeRoom(holder, this, wanted)
    this.#keep(wanted)
  }

  /** Throws the error `hold` would throw for a body of this length, before any of it is read. */
  check(bytes: number): void {
    this.#intake.check(this.#holders, this, bytes)
  }

  /**
   * Marks the body as being received: until `hasCome`, one of a caller without an account gives way
   * to newer ones, and `onRefused` is called with the error.
   */
  reading(onRefused: (refusal: ServiceError) => void): void {
    if (!this.#givesWay) return
    this.#onRefused = onRefused
    for (const { key } of this.#holders) this.#intake.addComing(key, this)
  }

  /** Marks the body as completely received. */
  hasCome(): void {
    if (this.#onRefused) for (const { key } of this.#holders) this.#intake.dropComing(key, this)
  }

  /** Releases the memory for a newer body. */
  giveWay(refusal: ServiceError): void {
    this.release()
    this.#refusal = refusal
    this.#onRefused?.(refusal)
  }

  release(): void {
    this.hasCome()
    this.#keep(0)
  }

  #keep(bytes: number): void {
    for (const { key } of this.#holders) this.#intake.add(key, bytes - this.held)
    this.held = bytes
  }
}

/**
 * Counts the memory of bodies from their first byte until their call has ended, per account and for
 * all callers without one.
 *
 * @NOTE Slow bodies could use up the memory that callers without an account share, and block those
 *   whose bodies arrive at once. So the oldest one still being received gives way to one that started
 *   later, and a complete one never gives way.
 */
export class BodyIntake {
  readonly #limits: () => IntakeLimits
  readonly #addressOf: (request: IncomingMessage) => string
  readonly #held = new Map<string, number>()
  /**
   * Bodies without an account that are still being received, in the order in which they started.
   */
  readonly #coming = new Map<string, Set<BodyAllowance>>()

  constructor(
    limits: () => IntakeLimits = () => USUAL_LIMITS,
    addressOf: (request: IncomingMessage) => string = ({ socket }) => socket.remoteAddress ?? '',
  ) {
    this.#limits = limits
    this.#addressOf = addressOf
  }

  open(userId: string | null, request: IncomingMessage): BodyAllowance {
    const limits = this.#limits()
    const isAnonymous = userId === null
    const holders = isAnonymous
      ? this.#anonymous(limits, request)
      : [{ key: `account ${userId}`, limit: limits.accountBytes, refuse: accountFull }]
    return new BodyAllowance(this, limits, holders, isAnonymous)
  }

  /**
   * Throws if there is not enough memory for this many bytes, even if all bodies that can give way
   * to this one did.
   */
  check(holders: readonly Holder[], body: BodyAllowance, wanted: number): void {
    for (const { key, limit, refuse } of holders) {
      let missing = this.#missing(key, body, wanted - limit)
      if (missing <= 0) continue
      for (const older of this.#olderThan(body, key)) if ((missing -= older.held) <= 0) break
      if (missing > 0) throw refuse(limit)
    }
  }

  makeRoom({ key, limit, refuse }: Holder, body: BodyAllowance, wanted: number): void {
    if (this.#missing(key, body, wanted - limit) <= 0) return
    for (const older of this.#olderThan(body, key)) {
      if (this.#missing(key, body, wanted - limit) <= 0) return
      if (older.held > 0) older.giveWay(refuse(limit))
    }
  }

  #missing(key: string, { held }: BodyAllowance, beyond: number): number {
    return (this.#held.get(key) ?? 0) - held + beyond
  }

  /**
   * Yields the bodies that are still being received and started before this one, the oldest first.
   */
  *#olderThan(body: BodyAllowance, key: string): Generator<BodyAllowance, void, void> {
    for (const each of this.#coming.get(key) ?? []) {
      if (each === body) return
      yield each
    }
  }

  addComing(key: string, body: BodyAllowance): void {
    const coming = this.#coming.get(key)
    if (coming) coming.add(body)
    else this.#coming.set(key, new Set([body]))
  }

  dropComing(key: string, body: BodyAllowance): void {
    const coming = this.#coming.get(key)
    if (coming?.delete(body) && coming.size === 0) this.#coming.delete(key)
  }

  #anonymous({ anonymousBytes }: IntakeLimits, request: IncomingMessage): Holder[] {
    return [
      {
        key: `address ${this.#addressOf(request)}`,
        limit: anonymousBytes * SHARE_OF_AN_ADDRESS,
        refuse: addressFull,
      },
      { key: 'anonymous', limit: anonymousBytes, refuse: anonymousFull },
    ]
  }

  add(key: string, bytes: number): void {
    const held = (this.#held.get(key) ?? 0) + bytes
    if (held <= 0) this.#held.delete(key)
    else this.#held.set(key, held)
  }
}

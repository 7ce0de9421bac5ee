import type { IncomingMessage } from 'node:http'
import { tooManyRequests, unavailable, type ServiceError } from './errors.ts'

/** What one value of a parsed body takes in memory besides its bytes, roughly. */
const BYTES_OF_A_VALUE = 64
const RETRY_SECONDS = 1
/** One address may hold this share of what callers without an account may hold together. */
const SHARE_OF_AN_ADDRESS = 1 / 16
/** Steps in which room is asked for, so that a body of many small pieces asks seldom. */
const STEP = 1024

/** What administrators may change of the bounds. */
export interface IntakeLimits {
  /**
   * Most values in a body, in one with chats to import, in one with a single thing to store, and
   * most levels in any.
   */
  readonly values: number
  readonly importValues: number
  readonly recordValues: number
  readonly depth: number
  /** Bytes of the body of a call that needs no account. */
  readonly unknownBytes: number
  /** Bytes of bodies that one account may have under way. */
  readonly accountBytes: number
  /** The same for all callers without an account together. */
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

/** Room for the body of one call. */
export class BodyAllowance {
  readonly limits: IntakeLimits
  readonly #intake: BodyIntake
  readonly #holders: readonly Holder[]
  readonly #givesWay: boolean
  #refusal: ServiceError | null = null
  #onRefused: ((refusal: ServiceError) => void) | null = null
  /** Bytes that are counted for it by now. */
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

  /** What the body takes by now; 429 or 503 when there is no room for it. */
  hold(bytes: number, values: number): void {
    if (this.#refusal) throw this.#refusal
    const wanted = Math.ceil((bytes + values * BYTES_OF_A_VALUE) / STEP) * STEP
    if (wanted <= this.held) return
    try {
      this.check(wanted)
    } catch (refusal) {
      // Nothing of it is kept any more, long before its connection ends. Else all bodies that come
      // side by side would be refused, and not only those beyond the bound.
      this.release()
      this.#refusal = refusal as ServiceError
      throw refusal
    }
    for (const holder of this.#holders) this.#intake.makeRoom(holder, this, wanted)
    this.#keep(wanted)
  }

  /** Throws what `hold` would throw for a body of this length, before any of it is read. */
  check(bytes: number): void {
    this.#intake.check(this.#holders, this, bytes)
  }

  /**
   * Says that the body is still coming: until `hasCome` one of a caller without an account gives
   * way to newer ones, and `onRefused` gets what it is refused with.
   */
  reading(onRefused: (refusal: ServiceError) => void): void {
    if (!this.#givesWay) return
    this.#onRefused = onRefused
    for (const { key } of this.#holders) this.#intake.addComing(key, this)
  }

  /** Says that the whole body is here. */
  hasCome(): void {
    if (this.#onRefused) for (const { key } of this.#holders) this.#intake.dropComing(key, this)
  }

  /** Makes room for a newer body. */
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
 * everybody without one.
 *
 * @NOTE Bodies that come slowly could fill what callers without an account share, and keep out
 *   those whose bodies come at once.
 * So the oldest one that is still coming gives way to one that began later, and one that has come
 * gives way to none.
 */
export class BodyIntake {
  readonly #limits: () => IntakeLimits
  readonly #addressOf: (request: IncomingMessage) => string
  readonly #held = new Map<string, number>()
  /** Bodies without an account that are still coming, in the order in which they began. */
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
   * Throws when there is no room for so many bytes, even if all that can give way to this body did.
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

  /** Bodies that are still coming and began before this one, the oldest first. */
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

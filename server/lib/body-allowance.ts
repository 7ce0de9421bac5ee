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

/** Room for the body of one call. */
export interface BodyAllowance {
  readonly limits: IntakeLimits
  /** What the body takes by now; 429 or 503 when there is no room for it. */
  hold(bytes: number, values: number): void
  /** Throws what `hold` would throw for a body of this length, before any of it is read. */
  check(bytes: number): void
  /**
   * Says that the body is still coming: until then one of a caller without an account gives way to
   * newer ones, and `giveWay` gets what it is refused with. Answers how to say that it has come.
   */
  reading(giveWay: (refusal: ServiceError) => void): () => void
  release(): void
}

interface Holder {
  readonly key: string
  readonly limit: number
  readonly refuse: (limit: number) => ServiceError
}

/** A body under way, and what refuses it while it is still coming. */
interface OpenBody {
  held: number
  refusal: ServiceError | null
  giveWay: ((refusal: ServiceError) => void) | null
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
  readonly #coming = new Map<string, Set<OpenBody>>()

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
    const holders: Holder[] = isAnonymous
      ? this.#anonymous(limits, request)
      : [{ key: `account ${userId}`, limit: limits.accountBytes, refuse: accountFull }]
    const body: OpenBody = { held: 0, refusal: null, giveWay: null }
    const keep = (bytes: number): void => {
      for (const { key } of holders) this.#add(key, bytes - body.held)
      body.held = bytes
    }
    const end = (): void => {
      for (const { key } of holders) this.#dropComing(key, body)
    }
    return {
      limits,
      check: (bytes) => this.#check(holders, body, bytes),
      hold: (bytes, values) => {
        if (body.refusal) throw body.refusal
        const wanted = Math.ceil((bytes + values * BYTES_OF_A_VALUE) / STEP) * STEP
        if (wanted <= body.held) return
        this.#check(holders, body, wanted)
        for (const holder of holders) this.#makeRoom(holder, body, wanted)
        keep(wanted)
      },
      reading: (giveWay) => {
        if (!isAnonymous) return () => undefined
        body.giveWay = (refusal) => {
          end()
          keep(0)
          body.refusal = refusal
          giveWay(refusal)
        }
        for (const { key } of holders) this.#addComing(key, body)
        return end
      },
      release: () => {
        end()
        keep(0)
      },
    }
  }

  /**
   * Throws when there is no room for so many bytes, even if all that can give way to this body did.
   */
  #check(holders: readonly Holder[], body: OpenBody, wanted: number): void {
    for (const { key, limit, refuse } of holders) {
      let missing = this.#missing(key, body, wanted - limit)
      if (missing <= 0) continue
      for (const older of this.#olderThan(body, key)) if ((missing -= older.held) <= 0) break
      if (missing > 0) throw refuse(limit)
    }
  }

  #makeRoom({ key, limit, refuse }: Holder, body: OpenBody, wanted: number): void {
    if (this.#missing(key, body, wanted - limit) <= 0) return
    for (const older of this.#olderThan(body, key)) {
      if (this.#missing(key, body, wanted - limit) <= 0) return
      if (older.held > 0) older.giveWay?.(refuse(limit))
    }
  }

  #missing(key: string, { held }: OpenBody, beyond: number): number {
    return (this.#held.get(key) ?? 0) - held + beyond
  }

  /** Bodies that are still coming and began before this one, the oldest first. */
  *#olderThan(body: OpenBody, key: string): Generator<OpenBody, void, void> {
    for (const each of this.#coming.get(key) ?? []) {
      if (each === body) return
      yield each
    }
  }

  #addComing(key: string, body: OpenBody): void {
    const coming = this.#coming.get(key)
    if (coming) coming.add(body)
    else this.#coming.set(key, new Set([body]))
  }

  #dropComing(key: string, body: OpenBody): void {
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

  #add(key: string, bytes: number): void {
    const held = (this.#held.get(key) ?? 0) + bytes
    if (held <= 0) this.#held.delete(key)
    else this.#held.set(key, held)
  }
}

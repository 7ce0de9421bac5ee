import type { IncomingMessage } from 'node:http'
import type { ApiKeyLimits } from '#contract/auths.ts'
import { createDeferredWrites, type DeferredWrites } from '../../lib/timing/deferred-writes.ts'
import { tooManyRequests, type ServiceError } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ApiKeyStore, KeyUse, StoredKey } from './api-key-store.ts'

/** The origin of a use of a key. */
export interface KeyOrigin {
  readonly request: IncomingMessage
  readonly address: string
}

/** Usage counted on one day, in days since 1970 (UTC). */
type DayUse = Pick<KeyUse, 'day' | 'requests' | 'tokens'>

type StoredUse = Awaited<ReturnType<ApiKeyStore['usage']>> | null

const DAY_SECONDS = 86_400
const WRITE_DELAY_MS = 2000
const MOST_KEPT = 5000
const LONGEST_PROGRAM = 100
/** Wait until another try of a call whose tokens are reserved for running calls. */
const HELD_SECONDS = 5

export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)

/** Returns the first product of a `User-Agent` header, such as `OpenAI/Python`. */
export function programOf({ headers }: IncomingMessage): string {
  const [product = ''] = (headers['user-agent'] ?? '').trim().split(/[\s(]/, 1)
  return product.replaceAll(/\P{ASCII}|\p{Cc}/gu, '').slice(0, LONGEST_PROGRAM)
}

/** Returns the time at which the counts of a day expire. */
export const resetOf = (day: number): number => (day + 1) * DAY_SECONDS

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

const capsOf = ({ daily_requests: requests, daily_tokens: tokens }: ApiKeyLimits): string =>
  [requests !== null && `${requests} calls`, tokens !== null && `${tokens} tokens`]
    .filter(Boolean)
    .join(' or ')

/** Returns a 429 with the caps of the key and the time until midnight (UTC). */
export function usedUp(limits: ApiKeyLimits, day: number): ServiceError {
  const resetsAt = resetOf(day)
  return tooManyRequests(
    `This key has used up its ${capsOf(limits)} a day. It can be used again from ${timeOf(resetsAt)}.`,
    resetsAt - nowSeconds(),
  )
}

/** Returns a 429 with a short wait, because running calls may use fewer tokens than expected. */
const heldByCalls = (cap: number, day: number): ServiceError =>
  tooManyRequests(
    `The running calls of this key may use the rest of its ${cap} tokens a day. Try again when one of them has ended. The count starts again at ${timeOf(resetOf(day))}.`,
    HELD_SECONDS,
  )

/** Tokens of a key on one day: those counted, and those its running calls may still use. */
export interface TokenCounts {
  readonly day: number
  readonly used: number
  readonly reserved: number
}

/**
 * Returns how many of the expected tokens are reserved for a call: at most those that are left.
 * Throws 429 if none are. A call that expects none is refused only by a cap that is used up.
 */
export function grantTokens(
  limits: ApiKeyLimits | null,
  { day, used, reserved }: TokenCounts,
  expected: number,
): number {
  const cap = limits?.daily_tokens ?? null
  if (limits === null || cap === null) return 0
  if (used >= cap) throw usedUp(limits, day)
  const left = cap - used - reserved
  if (left <= 0 && expected > 0) throw heldByCalls(cap, day)
  return Math.max(0, Math.min(expected, left))
}

/** Tokens reserved for a running call. */
export interface Reservation {
  /** Counts the tokens the call has used instead; only the first call of this has an effect. */
  settle(tokens: number): void
}

/** Returns the whole tokens of a reported number. */
export const toTokens = (reported: number): number =>
  Number.isFinite(reported) && reported > 0 ? Math.round(reported) : 0

export function createReservation(settle: (tokens: number) => void): Reservation {
  let isSettled = false
  return {
    settle(tokens) {
      if (isSettled) return
      isSettled = true
      settle(toTokens(tokens))
    },
  }
}

export const originOf = (from: KeyOrigin | null): Pick<KeyUse, 'program' | 'address'> =>
  from
    ? { program: programOf(from.request), address: from.address }
    : { program: null, address: null }

/** Counts the use of API keys and enforces their daily caps. */
export interface KeyUses {
  /** Counts a call; throws 429 with the time until midnight (UTC) if the key has used up a cap. */
  begin(key: StoredKey, from: KeyOrigin | null): Promise<void> | void
  /**
   * Reserves the tokens a call of a key with a daily cap of tokens is expected to use; throws 429 if
   * none are left.
   */
  reserve(key: StoredKey, expected: number): Promise<Reservation> | Reservation
  today(id: string): Promise<{ requests: number; tokens: number; resets_at: number }>
  /**
   * Returns time, client and address of the last use of the key, if not yet written to the
   * database.
   */
  last(id: string): KeyUse | undefined
  forget(id: string): void
  /** Writes the pending counts. */
  close(): Promise<void>
}

/** Counts in memory, for a gateway that has the database to itself. */
export class OwnKeyUses implements KeyUses {
  readonly #store: ApiKeyStore
  readonly #uses = new Map<string, KeyUse>()
  /** Tokens that running calls may use, by key. */
  readonly #reserved = new Map<string, number>()
  readonly #writes: DeferredWrites<KeyUse>
  /** Settles when evicted counters can be read from the database. */
  #flushed: Promise<void> = Promise.resolve()

  constructor(store: ApiKeyStore, log: Logger) {
    this.#store = store
    this.#writes = createDeferredWrites<KeyUse>({
      delayMs: WRITE_DELAY_MS,
      log,
      write: (uses) => store.saveUses(uses),
    })
  }

  begin(key: StoredKey, from: KeyOrigin | null): Promise<void> | void {
    return whenReady(this.#storedUse(key.id), (stored) => this.#count(key, from, stored))
  }

  #count(key: StoredKey, from: KeyOrigin | null, stored: StoredUse): void {
    // No other call may count between here and the write, or two concurrent calls would count as
    // one.
    const count = this.#countKnown(this.#uses.get(key.id) ?? stored)
    if (key.limits) this.#checkCaps(key.limits, count)
    const use = { day: count.day, requests: count.requests + 1, tokens: count.tokens }
    this.#put(key.id, { ...use, lastUsedAt: nowSeconds(), ...originOf(from) })
  }

  reserve(key: StoredKey, expected: number): Promise<Reservation> | Reservation {
    return whenReady(this.#storedUse(key.id), (stored) => {
      const { day, tokens: used } = this.#countKnown(this.#uses.get(key.id) ?? stored)
      const reserved = this.#reserved.get(key.id) ?? 0
      const granted = grantTokens(key.limits, { day, used, reserved }, expected)
      this.#hold(key.id, granted)
      return createReservation((tokens) => {
        this.#hold(key.id, -granted)
        this.#addTokens(key.id, tokens)
      })
    })
  }

  async today(id: string): Promise<{ requests: number; tokens: number; resets_at: number }> {
    const { day, requests, tokens } = await this.#countOf(id)
    return { requests, tokens, resets_at: resetOf(day) }
  }

  last(id: string): KeyUse | undefined {
    return this.#uses.get(id)
  }

  forget(id: string): void {
    this.#uses.delete(id)
  }

  close(): Promise<void> {
    return this.#writes.flush()
  }

  async #countOf(id: string): Promise<DayUse> {
    const stored = await this.#storedUse(id)
    // Another call may have been counted meanwhile.
    return this.#countKnown(this.#uses.get(id) ?? stored)
  }

  /** Returns the stored use of a key that is not in memory. */
  #storedUse(id: string): StoredUse | Promise<StoredUse> {
    return this.#uses.has(id) ? null : this.#readUse(id)
  }

  async #readUse(id: string): Promise<StoredUse> {
    await this.#flushed
    return this.#store.usage(id)
  }

  #hold(id: string, tokens: number): void {
    const reserved = (this.#reserved.get(id) ?? 0) + tokens
    if (reserved > 0) this.#reserved.set(id, reserved)
    else this.#reserved.delete(id)
  }

  #addTokens(id: string, tokens: number): void {
    const known = this.#uses.get(id)
    if (!known || tokens === 0) return
    const { day, requests, tokens: before } = this.#countKnown(known)
    this.#put(id, { ...known, day, requests, tokens: before + tokens })
  }

  #countKnown(known: DayUse | null): DayUse {
    const day = dayOf(nowSeconds())
    return known?.day === day ? known : { day, requests: 0, tokens: 0 }
  }

  #put(id: string, use: KeyUse): void {
    if (this.#uses.size >= MOST_KEPT && !this.#uses.has(id)) {
      this.#flushed = this.#writes.flush()
      this.#uses.clear()
    }
    this.#uses.set(id, use)
    this.#writes.put(id, use)
  }

  #checkCaps(limits: ApiKeyLimits, { requests, tokens, day }: DayUse): void {
    const isUsedUp = (cap: number | null, used: number): boolean => cap !== null && used >= cap
    if (isUsedUp(limits.daily_requests, requests) || isUsedUp(limits.daily_tokens, tokens))
      throw usedUp(limits, day)
  }
}

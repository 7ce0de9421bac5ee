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
export type DayUse = Pick<KeyUse, 'day' | 'requests' | 'tokens'>

type StoredUse = Awaited<ReturnType<ApiKeyStore['usage']>> | null

const DAY_SECONDS = 86_400
const WRITE_DELAY_MS = 2000
const MOST_KEPT = 5000
const LONGEST_PROGRAM = 100

export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)

/** Returns the first product of a `User-Agent` header, such as `OpenAI/Python`. */
export function programOf({ headers }: IncomingMessage): string {
  const [product = ''] = (headers['user-agent'] ?? '').trim().split(/[\s(]/, 1)
  return product.replaceAll(/\P{ASCII}|\p{Cc}/gu, '').slice(0, LONGEST_PROGRAM)
}

/** Returns the time at which the counts of a day expire. */
export const resetOf = (day: number): number => (day + 1) * DAY_SECONDS

/** Returns a 429 with the time until midnight (UTC). */
export function usedUp(day: number): ServiceError {
  const resetsAt = resetOf(day)
  const time = new Date(resetsAt * 1000).toISOString()
  return tooManyRequests(
    `This key has used up what it may use in a day. It can be used again from ${time}.`,
    resetsAt - nowSeconds(),
  )
}

export const originOf = (from: KeyOrigin | null): Pick<KeyUse, 'program' | 'address'> =>
  from
    ? { program: programOf(from.request), address: from.address }
    : { program: null, address: null }

/** Counts the use of API keys and enforces their daily caps. */
export interface KeyUses {
  /** Counts a call; throws 429 with the time until midnight (UTC) if the key has used up a cap. */
  begin(key: StoredKey, from: KeyOrigin | null): Promise<void> | void
  /** Adds the tokens of an answer. */
  addTokens(id: string, tokens: number): void
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

  addTokens(id: string, tokens: number): void {
    const known = this.#uses.get(id)
    if (!known || !Number.isFinite(tokens) || tokens <= 0) return
    const count = this.#countKnown(known)
    this.#put(id, {
      ...known,
      day: count.day,
      requests: count.requests,
      tokens: count.tokens + Math.round(tokens),
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
      throw usedUp(day)
  }
}

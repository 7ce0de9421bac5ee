import type { ApiKeyLimits } from '#contract/auths.ts'
import { createDeferredWrites, type DeferredWrites } from '../../lib/timing/deferred-writes.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ApiKeyStore, KeyUse, StoredKey } from './api-key-store.ts'
import { SettledTokens } from './settled-tokens.ts'
import {
  createReservation,
  dayOf,
  grantTokens,
  originOf,
  resetOf,
  usedUp,
  type KeyOrigin,
  type KeyUses,
  type Reservation,
} from './key-uses.ts'

const WRITE_DELAY_MS = 2000

const hasDailyCap = ({ daily_requests, daily_tokens }: ApiKeyLimits): boolean =>
  daily_requests !== null || daily_tokens !== null

/**
 * Counts API key usage where several gateways share the database. Calls with a key that has a daily
 * cap are counted in the database one by one before they run, so that all gateways together stay
 * within the cap; usage of other keys is summed in memory and written a little later. Tokens that
 * running calls may use are rows of this gateway, which end with it.
 */
export class SharedKeyUses implements KeyUses {
  readonly #store: ApiKeyStore
  /** Usage not yet written, to be added to the stored counts. */
  readonly #unwritten = new Map<string, KeyUse>()
  readonly #writes: DeferredWrites<KeyUse>
  readonly #settling: SettledTokens
  /** Name of this gateway. */
  readonly #self: string

  constructor(store: ApiKeyStore, log: Logger, self: string) {
    this.#store = store
    this.#self = self
    this.#settling = new SettledTokens(store, log)
    this.#writes = createDeferredWrites<KeyUse>({
      delayMs: WRITE_DELAY_MS,
      log,
      write: (uses) => this.#write(uses),
    })
  }

  begin({ id, limits }: StoredKey, from: KeyOrigin | null): Promise<void> | void {
    if (limits && hasDailyCap(limits)) return this.#take(id, limits, from)
    this.#add(id, 1, from)
  }

  async reserve(key: StoredKey, expected: number): Promise<Reservation> {
    const day = dayOf(nowSeconds())
    const row = { id: newId(), key_id: key.id, replica: this.#self }
    await this.#store.reserve(row, day, (counts) =>
      grantTokens(key.limits, { day, ...counts }, expected),
    )
    return createReservation((tokens) =>
      this.#settling.add({ id: row.id, keyId: key.id, day: dayOf(nowSeconds()), tokens }),
    )
  }

  async today(id: string): Promise<{ requests: number; tokens: number; resets_at: number }> {
    const day = dayOf(nowSeconds())
    const [stored, unwritten] = [await this.#store.usage(id), this.#unwritten.get(id)]
    const counted = stored?.day === day ? stored : { requests: 0, tokens: 0 }
    const requests = counted.requests + (unwritten?.day === day ? unwritten.requests : 0)
    return { requests, tokens: counted.tokens, resets_at: resetOf(day) }
  }

  last(id: string): KeyUse | undefined {
    return this.#unwritten.get(id)
  }

  forget(id: string): void {
    this.#unwritten.delete(id)
  }

  async close(): Promise<void> {
    await this.#settling.close()
    await this.#writes.flush()
  }

  async #take(id: string, limits: ApiKeyLimits, from: KeyOrigin | null): Promise<void> {
    const day = dayOf(nowSeconds())
    if (!(await this.#store.countCall(id, day, limits))) throw usedUp(limits, day)
    this.#add(id, 0, from)
  }

  #add(id: string, requests: number, from: KeyOrigin | null): void {
    const day = dayOf(nowSeconds())
    const known = this.#unwritten.get(id)
    const use = {
      day,
      requests: requests + (known?.day === day ? known.requests : 0),
      tokens: 0,
      lastUsedAt: nowSeconds(),
      ...originOf(from),
    }
    this.#unwritten.set(id, use)
    this.#writes.put(id, use)
  }

  #write(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
    // Usage from now on is counted from zero again.
    for (const id of uses.keys()) this.#unwritten.delete(id)
    return this.#store.addUses(uses)
  }
}

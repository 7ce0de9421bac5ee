import type { ApiKeyLimits } from '#contract/auths.ts'
import { createDeferredWrites, type DeferredWrites } from '../../lib/timing/deferred-writes.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ApiKeyStore, KeyUse, StoredKey } from './api-key-store.ts'
import {
  dayOf,
  originOf,
  resetOf,
  usedUp,
  type DayUse,
  type KeyOrigin,
  type KeyUses,
} from './key-uses.ts'

const WRITE_DELAY_MS = 2000

const hasDailyCap = ({ daily_requests, daily_tokens }: ApiKeyLimits): boolean =>
  daily_requests !== null || daily_tokens !== null

/**
 * Counts API key usage where several gateways share the database. Calls with a key that has a daily
 * cap are counted in the database one by one before they run, so that all gateways together stay
 * within the cap; usage of other keys is summed in memory and written a little later.
 */
export class SharedKeyUses implements KeyUses {
  readonly #store: ApiKeyStore
  /** Usage not yet written, to be added to the stored counts. */
  readonly #unwritten = new Map<string, KeyUse>()
  readonly #writes: DeferredWrites<KeyUse>

  constructor(store: ApiKeyStore, log: Logger) {
    this.#store = store
    this.#writes = createDeferredWrites<KeyUse>({
      delayMs: WRITE_DELAY_MS,
      log,
      write: (uses) => this.#write(uses),
    })
  }

  begin({ id, limits }: StoredKey, from: KeyOrigin | null): Promise<void> | void {
    if (limits && hasDailyCap(limits)) return this.#take(id, limits, from)
    this.#add(id, { requests: 1, tokens: 0 }, from)
  }

  addTokens(id: string, tokens: number): void {
    if (!Number.isFinite(tokens) || tokens <= 0) return
    this.#add(id, { requests: 0, tokens: Math.round(tokens) }, null)
    // The next call may go to another gateway, so the counts are written at once.
    void this.#writes.flush()
  }

  async today(id: string): Promise<{ requests: number; tokens: number; resets_at: number }> {
    const day = dayOf(nowSeconds())
    const parts = [await this.#store.usage(id), this.#unwritten.get(id)]
    const counted = parts.filter((part) => part?.day === day)
    const sum = (name: 'requests' | 'tokens'): number =>
      counted.reduce((total, part) => total + part![name], 0)
    return { requests: sum('requests'), tokens: sum('tokens'), resets_at: resetOf(day) }
  }

  last(id: string): KeyUse | undefined {
    return this.#unwritten.get(id)
  }

  forget(id: string): void {
    this.#unwritten.delete(id)
  }

  close(): Promise<void> {
    return this.#writes.flush()
  }

  async #take(id: string, limits: ApiKeyLimits, from: KeyOrigin | null): Promise<void> {
    const day = dayOf(nowSeconds())
    if (!(await this.#store.countCall(id, day, limits))) throw usedUp(day)
    this.#add(id, { requests: 0, tokens: 0 }, from)
  }

  #add(id: string, more: Omit<DayUse, 'day'>, from: KeyOrigin | null): void {
    const day = dayOf(nowSeconds())
    const known = this.#unwritten.get(id)
    const before = known?.day === day ? known : { requests: 0, tokens: 0 }
    const use = {
      day,
      requests: before.requests + more.requests,
      tokens: before.tokens + more.tokens,
      ...(from === null && known
        ? { lastUsedAt: known.lastUsedAt, program: known.program, address: known.address }
        : { lastUsedAt: nowSeconds(), ...originOf(from) }),
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

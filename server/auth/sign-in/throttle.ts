import { createDeferredWrites, type DeferredWrites } from '../../lib/timing/deferred-writes.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Live } from '../../live/index.ts'
import type { StoredThrottle, ThrottleStore } from '../store.ts'

/** Maximum number of tries within a number of seconds after the first one, for each subject. */
export interface ThrottleRule {
  readonly name: string
  readonly tries: number
  readonly seconds: number
}

/** A try counted by another gateway. */
interface SaidTry {
  readonly rule: ThrottleRule
  readonly subject: string
}

const TOPIC = 'tries'
const SAVE_DELAY_MS = 500
/**
 * Limits the memory an attacker with many addresses can use; the oldest windows are dropped first.
 */
const MOST_WINDOWS = 50_000

const keyOf = (rule: ThrottleRule, subject: string): string => `${rule.name}:${subject}`

/** Counts tries per subject in time windows. The counters survive a restart. */
export class Throttle {
  readonly #store: ThrottleStore
  readonly #live: Live | null
  readonly #windows = new Map<string, StoredThrottle>()
  readonly #writes: DeferredWrites<StoredThrottle>

  constructor(store: ThrottleStore, log: Logger, live: Live | null = null) {
    this.#store = store
    this.#live = live
    this.#writes = createDeferredWrites<StoredThrottle>({
      delayMs: SAVE_DELAY_MS,
      log,
      write: (windows) => store.save(windows),
    })
  }

  /** Reads the windows of the last run, and subscribes to the counts of other gateways. */
  async load(): Promise<void> {
    await this.#live?.line.hear(TOPIC, (said) => {
      const { rule, subject } = said as SaidTry
      this.#count(rule, subject)
    })
    for (const { subject, ...window } of await this.#store.load())
      this.#windows.set(subject, window)
  }

  /** Returns the number of tries in the current window. */
  used(rule: ThrottleRule, subject: string): number {
    return this.#current(rule, keyOf(rule, subject))?.tries ?? 0
  }

  /** Returns the seconds until another try is allowed; 0 if it is allowed now. */
  wait(rule: ThrottleRule, subject: string): number {
    const window = this.#current(rule, keyOf(rule, subject))
    return window && window.tries >= rule.tries ? window.ends_at - nowSeconds() : 0
  }

  /**
   * Reserves a try among those of all gateways; returns the seconds to wait if the limit is
   * reached. If this is the only gateway, or Redis is unavailable, a try is always allowed.
   */
  async takeShared(rule: ThrottleRule, subject: string): Promise<number> {
    const limit = { most: rule.tries, seconds: rule.seconds }
    return (await this.#live?.line.counters.take(keyOf(rule, subject), limit)) ?? 0
  }

  /** Releases the reservation of a try that does not count. */
  async giveBackShared(rule: ThrottleRule, subject: string): Promise<void> {
    await this.#live?.line.counters.giveBack(keyOf(rule, subject))
  }

  /** True if tries are counted together with those of other gateways. */
  get isShared(): boolean {
    return this.#live !== null
  }

  count(rule: ThrottleRule, subject: string): void {
    this.#count(rule, subject)
    this.#live?.line.tell(TOPIC, { rule, subject } satisfies SaidTry)
  }

  #count(rule: ThrottleRule, subject: string): void {
    const key = keyOf(rule, subject)
    const window = this.#current(rule, key) ?? { tries: 0, ends_at: nowSeconds() + rule.seconds }
    this.#put(key, { ...window, tries: window.tries + 1 })
  }

  #current(rule: ThrottleRule, key: string): StoredThrottle | undefined {
    const window = this.#windows.get(key)
    if (!window) return undefined
    const left = window.ends_at - nowSeconds()
    // A window that ends too far in the future was opened before the clock was set back.
    if (left > 0 && left <= rule.seconds) return window
    this.#windows.delete(key)
    return undefined
  }

  #put(key: string, window: StoredThrottle): void {
    if (this.#windows.size >= MOST_WINDOWS && !this.#windows.has(key))
      this.#windows.delete(this.#windows.keys().next().value!)
    this.#windows.set(key, window)
    this.#writes.put(key, window)
  }
}

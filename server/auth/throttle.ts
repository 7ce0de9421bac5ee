import { createDeferredWrites, type DeferredWrites } from '../lib/deferred-writes.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { StoredThrottle, ThrottleStore } from './store.ts'

/** So many tries within so many seconds of the first one, for each subject. */
export interface ThrottleRule {
  readonly name: string
  readonly tries: number
  readonly seconds: number
}

const SAVE_DELAY_MS = 500
/** Bounds the memory an attacker with many addresses can take; the oldest windows go first. */
const MOST_WINDOWS = 50_000

const keyOf = (rule: ThrottleRule, subject: string): string => `${rule.name}:${subject}`

/** Counts tries per subject in windows of time. The counters survive a restart. */
export class Throttle {
  readonly #store: ThrottleStore
  readonly #windows = new Map<string, StoredThrottle>()
  readonly #writes: DeferredWrites<StoredThrottle>

  constructor(store: ThrottleStore, log: Logger) {
    this.#store = store
    this.#writes = createDeferredWrites<StoredThrottle>({
      delayMs: SAVE_DELAY_MS,
      log,
      write: (windows) => store.save(windows),
    })
  }

  /** Reads the windows of the last run. */
  async load(): Promise<void> {
    for (const { subject, ...window } of await this.#store.load())
      this.#windows.set(subject, window)
  }

  /** Tries counted in the current window. */
  used(rule: ThrottleRule, subject: string): number {
    return this.#current(rule, keyOf(rule, subject))?.tries ?? 0
  }

  /** Seconds until another try is allowed; 0 when it is allowed now. */
  wait(rule: ThrottleRule, subject: string): number {
    const window = this.#current(rule, keyOf(rule, subject))
    return window && window.tries >= rule.tries ? window.ends_at - nowSeconds() : 0
  }

  count(rule: ThrottleRule, subject: string): void {
    const key = keyOf(rule, subject)
    const window = this.#current(rule, key) ?? { tries: 0, ends_at: nowSeconds() + rule.seconds }
    this.#put(key, { ...window, tries: window.tries + 1 })
  }

  #current(rule: ThrottleRule, key: string): StoredThrottle | undefined {
    const window = this.#windows.get(key)
    if (!window) return undefined
    const left = window.ends_at - nowSeconds()
    // A window that ends too far ahead was opened before the clock was set back.
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

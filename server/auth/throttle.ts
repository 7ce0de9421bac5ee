import { createDeferredWrites } from '../lib/deferred-writes.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { StoredThrottle, ThrottleStore } from './store.ts'

/** So many tries within so many seconds of the first one, for each subject. */
export interface ThrottleRule {
  readonly name: string
  readonly tries: number
  readonly seconds: number
}

/** Counts tries per subject in windows of time. The counters survive a restart. */
export interface Throttle {
  /** Tries counted in the current window. */
  used(rule: ThrottleRule, subject: string): number
  /** Seconds until another try is allowed; 0 when it is allowed now. */
  wait(rule: ThrottleRule, subject: string): number
  count(rule: ThrottleRule, subject: string): void
}

const SAVE_DELAY_MS = 500
/** Bounds the memory an attacker with many addresses can take; the oldest windows go first. */
const MOST_WINDOWS = 50_000

export function createThrottle({ store, log }: { store: ThrottleStore; log: Logger }): Throttle {
  const windows = new Map<string, StoredThrottle>(
    store.load().map(({ subject, ...window }) => [subject, window]),
  )
  const writes = createDeferredWrites<StoredThrottle>({
    delayMs: SAVE_DELAY_MS,
    log,
    write: store.save,
  })

  const current = (rule: ThrottleRule, key: string): StoredThrottle | undefined => {
    const window = windows.get(key)
    if (!window) return undefined
    const left = window.ends_at - nowSeconds()
    // A window that ends too far ahead was opened before the clock was set back.
    if (left > 0 && left <= rule.seconds) return window
    windows.delete(key)
    return undefined
  }
  const put = (key: string, window: StoredThrottle): void => {
    if (windows.size >= MOST_WINDOWS && !windows.has(key))
      windows.delete(windows.keys().next().value!)
    windows.set(key, window)
    writes.put(key, window)
  }
  const keyOf = (rule: ThrottleRule, subject: string): string => `${rule.name}:${subject}`
  const used: Throttle['used'] = (rule, subject) => current(rule, keyOf(rule, subject))?.tries ?? 0

  return {
    used,
    wait: (rule, subject) => {
      const window = current(rule, keyOf(rule, subject))
      return window && window.tries >= rule.tries ? window.ends_at - nowSeconds() : 0
    },
    count: (rule, subject) => {
      const key = keyOf(rule, subject)
      const window = current(rule, key) ?? { tries: 0, ends_at: nowSeconds() + rule.seconds }
      put(key, { ...window, tries: window.tries + 1 })
    },
  }
}

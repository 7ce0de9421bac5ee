const FIRST_DELAY = 250
const LONGEST_DELAY = 10_000
const CRASH_WINDOW = 60_000
const CRASH_LIMIT = 5

/** Determines the delay before a crashed gateway is restarted. */
export interface RestartPolicy {
  /**
   * Returns the milliseconds until the next start; null after five crashes within a minute, when a
   * restart would not help.
   */
  next(): number | null
  reset(): void
}

export function createRestartPolicy(now: () => number = () => performance.now()): RestartPolicy {
  let crashes: number[] = []
  return {
    next() {
      const time = now()
      crashes = [...crashes.filter((crash) => time - crash < CRASH_WINDOW), time]
      if (crashes.length >= CRASH_LIMIT) return null
      return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (crashes.length - 1))
    },
    reset() {
      crashes = []
    },
  }
}

const SHORTEST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000
const CRASH_WINDOW = 60_000
const MOST_CRASHES = 5

/** How often a thing crashed lately, and when it may be started again. */
export interface Backoff {
  /** Notes a crash; true when it was one too many within a minute. */
  crashed(now: number): boolean
  /** Milliseconds until it may start again, 0 for at once. */
  pause(now: number): number
  forget(): void
}

/**
 * Pauses of 1 to 60 s, doubling with each crash and forgotten after a minute without one
 * (security-reliability R20).
 */
export function createBackoff(): Backoff {
  let crashes: number[] = []
  let streak = 0
  return {
    crashed(now) {
      if (now - (crashes.at(-1) ?? -Infinity) > LONGEST_PAUSE * 2) streak = 0
      crashes = [...crashes.filter((time) => now - time < CRASH_WINDOW), now]
      streak += 1
      return crashes.length >= MOST_CRASHES
    },
    pause(now) {
      const last = crashes.at(-1)
      if (last === undefined || streak === 0) return 0
      return Math.max(0, last + Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (streak - 1)) - now)
    },
    forget() {
      crashes = []
      streak = 0
    },
  }
}

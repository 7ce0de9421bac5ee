const SHORTEST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000
const CRASH_WINDOW = 60_000
const MOST_CRASHES = 5

/**
 * Recent crashes, and the time of the next start. Pauses of 1 to 60 s, doubling with each crash and
 * reset after a minute without one (security-reliability R20).
 */
export class Backoff {
  #crashes: number[] = []
  #streak = 0

  /** Records a crash; returns true if there were too many within a minute. */
  crashed(now: number): boolean {
    if (now - (this.#crashes.at(-1) ?? -Infinity) > LONGEST_PAUSE * 2) this.#streak = 0
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW), now]
    this.#streak += 1
    return this.#crashes.length >= MOST_CRASHES
  }

  /** Returns the milliseconds until the next start, 0 for immediately. */
  pause(now: number): number {
    const last = this.#crashes.at(-1)
    if (last === undefined || this.#streak === 0) return 0
    return Math.max(
      0,
      last + Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (this.#streak - 1)) - now,
    )
  }

  forget(): void {
    this.#crashes = []
    this.#streak = 0
  }
}

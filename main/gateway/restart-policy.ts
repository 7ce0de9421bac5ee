const FIRST_DELAY = 250
const LONGEST_DELAY = 10_000
const CRASH_WINDOW = 60_000
const CRASH_LIMIT = 5

/** Determines the delay before a crashed gateway is restarted. */
export class RestartPolicy {
  readonly #now: () => number
  #crashes: number[] = []

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Returns the milliseconds until the next start; null after five crashes within a minute, when a
   * restart would not help.
   */
  next(): number | null {
    const time = this.#now()
    this.#crashes = [...this.#crashes.filter((crash) => time - crash < CRASH_WINDOW), time]
    if (this.#crashes.length >= CRASH_LIMIT) return null
    return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (this.#crashes.length - 1))
  }

  reset(): void {
    this.#crashes = []
  }
}

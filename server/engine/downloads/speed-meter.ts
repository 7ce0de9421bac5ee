const WINDOW_MILLISECONDS = 5000

/** Measures the transfer rate over the last seconds; 0 while no bytes arrive. */
export class SpeedMeter {
  readonly #now: () => number
  #marks: { readonly at: number; readonly bytes: number }[] = []

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  note(bytes: number): void {
    const at = this.#now()
    const last = this.#marks.at(-1)
    // If a part is fetched again, the measurement restarts from there.
    if (last && bytes < last.bytes) this.#marks = []
    if (!last || at - last.at > 100) this.#marks.push({ at, bytes })
  }

  perSecond(): number {
    const now = this.#now()
    this.#marks = this.#marks.filter(({ at }) => now - at < WINDOW_MILLISECONDS)
    const [first] = this.#marks
    const last = this.#marks.at(-1)
    if (!first || !last || last === first) return 0
    return Math.round(((last.bytes - first.bytes) / (now - first.at)) * 1000)
  }
}

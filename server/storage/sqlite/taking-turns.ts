/** A lock held by one caller at a time, in the order of requests. */
export class TakingTurns {
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  get isTaken(): boolean {
    return this.#isTaken
  }

  /** Returns undefined if the turn is free, so that no caller waits unnecessarily. */
  take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return undefined
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }
}

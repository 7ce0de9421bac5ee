/** Passes values from a writer to a reader, with backpressure. */
export class Channel<Value> {
  readonly #waiting: Value[] = []
  #onValue: () => void = () => undefined
  #onTaken: (() => void)[] = []
  #isOver = false
  #failure: { error: unknown } | null = null

  /** Resolves when everything pushed so far has been read, or the reader has ended. */
  push(values: readonly Value[]): Promise<void> {
    if (this.#isOver) return Promise.resolve()
    this.#waiting.push(...values)
    this.#onValue()
    return new Promise((resolve) => this.#onTaken.push(resolve))
  }

  /**
   * Ends the channel; the reader fails with the error, if there is one, after the pushed values.
   */
  end(error?: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    if (error !== undefined) this.#failure = { error }
    this.#onValue()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, void> {
    try {
      for (;;) {
        while (this.#waiting.length > 0) yield this.#waiting.shift()!
        this.#release()
        if (this.#isOver) break
        await new Promise<void>((resolve) => (this.#onValue = resolve))
      }
      if (this.#failure) throw this.#failure.error
    } finally {
      this.#isOver = true
      this.#waiting.length = 0
      this.#release()
    }
  }

  #release(): void {
    for (const resolve of this.#onTaken) resolve()
    this.#onTaken = []
  }
}

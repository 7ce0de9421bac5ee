/** Runs work in order for each key; work of different keys runs side by side. */
export class KeyedLines {
  /** The last work of each key that has not ended. */
  readonly #last = new Map<string, Promise<unknown>>()

  /** Starts the work after the earlier one of the same key has ended, also with an error. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const begun = this.#last.get(key)?.then(work, work) ?? work()
    this.#last.set(key, begun)
    try {
      return await begun
    } finally {
      if (this.#last.get(key) === begun) this.#last.delete(key)
    }
  }
}

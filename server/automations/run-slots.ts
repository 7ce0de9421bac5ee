/** Maximum number of concurrent runs, in total and per user; further runs wait for a slot. */
const MOST_AT_ONCE = 4
const MOST_OF_ONE = 2

interface Waiting {
  readonly userId: string
  readonly begin: () => void
}

/**
 * Limits the number of concurrent runs, so that runs due at the full hour do not call every model
 * at once.
 */
export class RunSlots {
  readonly #running = new Map<string, number>()
  #waiting: Waiting[] = []
  #count = 0

  /**
   * Waits for a slot; resolves with the function that releases it. Rejects if `signal` aborts
   * meanwhile.
   */
  async take(userId: string, signal: AbortSignal): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { userId, begin: resolve }
    this.#waiting.push(waiting)
    const onAbort = (): void => {
      this.#waiting = this.#waiting.filter((each) => each !== waiting)
      reject(new Error('The run was ended before its turn.'))
    }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    this.#beginNext()
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#count -= 1
      this.#add(userId, -1)
      this.#beginNext()
    }
  }

  #add(userId: string, change: number): void {
    const count = (this.#running.get(userId) ?? 0) + change
    if (count > 0) this.#running.set(userId, count)
    else this.#running.delete(userId)
  }

  #beginNext(): void {
    while (this.#count < MOST_AT_ONCE) {
      const index = this.#waiting.findIndex(
        ({ userId }) => (this.#running.get(userId) ?? 0) < MOST_OF_ONE,
      )
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1)
      if (!next) return
      this.#count += 1
      this.#add(next.userId, 1)
      next.begin()
    }
  }
}

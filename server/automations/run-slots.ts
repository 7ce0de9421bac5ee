/** Runs at the same time, of everybody and of one person; the others wait for their turn. */
const MOST_AT_ONCE = 4
const MOST_OF_ONE = 2

interface Waiting {
  readonly userId: string
  readonly begin: () => void
}

/** Lets so many runs go on at once, so that a full hour does not ask every model together. */
export class RunSlots {
  readonly #running = new Map<string, number>()
  #waiting: Waiting[] = []
  #count = 0

  /** Waits for a turn; answers how to give it back. Rejects when `signal` aborts meanwhile. */
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

/** Hands values from somebody who pushes to somebody who reads, who may hold the other one up. */
export interface Channel<Value> extends AsyncIterable<Value> {
  /** Resolves when everything pushed so far was taken, or nobody reads any more. */
  push(values: readonly Value[]): Promise<void>
  /** Nothing follows; the reader fails with the error, if there is one, after what was pushed. */
  end(error?: unknown): void
}

export function createChannel<Value>(): Channel<Value> {
  const waiting: Value[] = []
  let onValue: () => void = () => undefined
  let onTaken: (() => void)[] = []
  let isOver = false
  let failure: { error: unknown } | null = null

  const release = (): void => {
    for (const resolve of onTaken) resolve()
    onTaken = []
  }

  async function* read(): AsyncGenerator<Value, void, void> {
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!
        release()
        if (isOver) break
        await new Promise<void>((resolve) => (onValue = resolve))
      }
      if (failure) throw failure.error
    } finally {
      isOver = true
      waiting.length = 0
      release()
    }
  }

  return {
    push(values) {
      if (isOver) return Promise.resolve()
      waiting.push(...values)
      onValue()
      return new Promise((resolve) => onTaken.push(resolve))
    },
    end(error) {
      if (isOver) return
      isOver = true
      if (error !== undefined) failure = { error }
      onValue()
    },
    [Symbol.asyncIterator]: read,
  }
}

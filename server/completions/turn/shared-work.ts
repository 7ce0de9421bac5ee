import { untilAborted } from '../../lib/timing/until-aborted.ts'

/** Runs work that several answers to one question need once for all of them. */
export interface SharedWork {
  /**
   * Returns the result of `make` for the first caller with this key, and the same result for all
   * later callers; if the first one aborts, another takes over.
   */
  <Value>(key: string, signal: AbortSignal, make: () => Promise<Value>): Promise<Value>
}

interface Running {
  readonly signal: AbortSignal
  readonly result: Promise<unknown>
}

/** For a single answer. */
export const unshared: SharedWork = (_key, _signal, make) => make()

export function createSharedWork(): SharedWork {
  const works = new Map<string, Running>()
  return async <Value>(
    key: string,
    signal: AbortSignal,
    make: () => Promise<Value>,
  ): Promise<Value> => {
    for (let known = works.get(key); known; known = works.get(key)) {
      try {
        return (await untilAborted(known.result, signal)) as Value
      } catch (error) {
        if (signal.aborted || !known.signal.aborted) throw error
        if (works.get(key) === known) works.delete(key)
      }
    }
    const result = make()
    works.set(key, { signal, result })
    return result
  }
}

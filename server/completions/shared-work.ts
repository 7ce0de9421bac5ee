import { untilAborted } from '../lib/until-aborted.ts'

/** Does work that several answers to one question need, once for all of them. */
export interface SharedWork {
  /**
   * The result of `make` for the first who asks by this key, and the same for everybody after; when
   * the first one left, another takes over.
   */
  <Value>(key: string, signal: AbortSignal, make: () => Promise<Value>): Promise<Value>
}

interface Running {
  readonly signal: AbortSignal
  readonly result: Promise<unknown>
}

/** For an answer that stands alone. */
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

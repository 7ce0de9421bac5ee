import { type DependencyList, useCallback, useEffect, useState } from 'react'
import { toSentence } from './api-error.ts'

/** Data a component loads when it appears; value and problem are null until it has arrived. */
export interface Loaded<Value> {
  readonly value: Value | null
  /** Message of a failure; the previous value stays. */
  readonly problem: string | null
  /** Replaces the value, for instance with the reply to a change. */
  readonly put: (value: Value) => void
  readonly reload: () => void
}

/**
 * Loads data when the component appears and when a dependency changes. The result of an earlier
 * load is discarded.
 */
export function useLoaded<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  dependencies: DependencyList,
): Loaded<Value> {
  const [value, setValue] = useState<Value | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    read(abort.signal).then(
      (found) => {
        if (abort.signal.aborted) return
        setValue(() => found)
        setProblem(null)
      },
      (thrown: unknown) => {
        if (!abort.signal.aborted) setProblem(toSentence(thrown))
      },
    )
    return () => abort.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- the caller names what `read` depends on
  }, [...dependencies, turn])
  const put = useCallback((next: Value) => setValue(() => next), [])
  const reload = useCallback(() => {
    setProblem(null)
    setTurn((count) => count + 1)
  }, [])
  return { value, problem, put, reload }
}

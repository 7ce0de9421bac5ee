import { useEffect, useRef, useState } from 'react'

/** State and actions of a search box. */
export interface Asking<Found> {
  readonly state: { readonly found: Found; readonly milliseconds: number } | null
  readonly busy: boolean
  readonly problem: string | null
  readonly ask: (search: (signal: AbortSignal) => Promise<Found>) => Promise<void>
  readonly stop: () => void
}

/** Runs one search at a time; a new question aborts the previous one. */
export function useQuestion<Found>(): Asking<Found> {
  const [state, setState] = useState<Asking<Found>['state']>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const ask = async (search: (signal: AbortSignal) => Promise<Found>): Promise<void> => {
    abort.current?.abort()
    const own = new AbortController()
    abort.current = own
    setBusy(true)
    setProblem(null)
    const start = performance.now()
    try {
      const found = await search(own.signal)
      setState({ found, milliseconds: Math.round(performance.now() - start) })
    } catch (thrown) {
      if (!own.signal.aborted) setProblem(thrown instanceof Error ? thrown.message : String(thrown))
    } finally {
      if (abort.current === own) setBusy(false)
    }
  }
  const stop = (): void => {
    abort.current?.abort()
    setBusy(false)
  }
  return { state, busy, problem, ask, stop }
}

import { useEffect, useState } from 'react'
import { ApiError, toSentence } from '../../../api/api-error.ts'

/** What was read; `isMissing` where there is nothing of that name. */
export type Read<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly isMissing: boolean; readonly problem: string }

/** Reads something once; what comes after the page was left is thrown away. */
export function useRead<Value>(read: (signal: AbortSignal) => Promise<Value>): Read<Value> {
  const [found, setFound] = useState<Read<Value>>({ state: 'loading' })
  useEffect(() => {
    const abort = new AbortController()
    read(abort.signal).then(
      (value) => !abort.signal.aborted && setFound({ state: 'ready', value }),
      (thrown: unknown) => {
        if (abort.signal.aborted) return
        const isMissing = thrown instanceof ApiError && thrown.status === 404
        setFound({ state: 'failed', isMissing, problem: toSentence(thrown) })
      },
    )
    return () => abort.abort()
  }, [read])
  return found
}

import { useEffect, useState } from 'react'
import { ApiError, toSentence } from '../../../api/api-error.ts'

/** State of a read; `isMissing` is true if the item does not exist. */
export type Read<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly isMissing: boolean; readonly problem: string }

/** Reads once; a result that arrives after the page was left is discarded. */
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

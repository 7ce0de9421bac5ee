import { useEffect, useState } from 'react'
import type { ChatSearchHit } from '#contract/chats.ts'
import { call, endpoints } from '../../api/client.ts'

const WAIT = 150
const MOST = 8

/** Returns one row per chat, regardless of how many of its messages matched. */
const eachOnce = (hits: readonly ChatSearchHit[]): readonly ChatSearchHit[] =>
  [...Map.groupBy(hits, ({ id }) => id).values()].map(([first]) => first!).slice(0, MOST)

/**
 * Returns chats matched by title or message, including those not loaded in the list; the previous
 * result remains until the next one arrives.
 */
export function usePaletteChats(query: string): readonly ChatSearchHit[] {
  const [found, setFound] = useState<readonly ChatSearchHit[]>([])
  const text = query.trim()
  useEffect(() => {
    if (text === '') return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      call(endpoints.chats.search, { query: { text } }, { signal: abort.signal }).then(
        (hits) => setFound(eachOnce(hits)),
        // Rows that need no search are shown anyway.
        () => !abort.signal.aborted && setFound([]),
      )
    }, WAIT)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text])
  return text === '' ? [] : found
}

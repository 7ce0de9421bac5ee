import { useEffect, useState } from 'react'
import type { ChatSearchHit } from '#contract/chats.ts'
import { call, endpoints } from '../api/client.ts'

const WAIT = 150
const MOST = 8

/** One row for each chat, however many of its messages were found. */
const eachOnce = (hits: readonly ChatSearchHit[]): readonly ChatSearchHit[] =>
  [...Map.groupBy(hits, ({ id }) => id).values()].map(([first]) => first!).slice(0, MOST)

/**
 * Chats found by their titles and messages, also those the list has not read yet; what was found
 * last stands until the next is there.
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
        // The rows that need no search are there all the same.
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

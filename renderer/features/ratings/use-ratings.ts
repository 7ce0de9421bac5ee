import { useCallback, useEffect, useState } from 'react'
import type { LeaderboardEntry, RatedItem } from '#contract/evaluations.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface Ratings {
  readonly entries: readonly LeaderboardEntry[]
  /** Ratings, newest first. */
  readonly items: readonly RatedItem[]
  readonly total: number
}

export interface RatingsControl {
  /** Null while loading. */
  readonly ratings: Ratings | null
  readonly problem: string | null
  readonly retry: () => void
  readonly readMore: () => Promise<void>
}

const readPage = (page: number) => call(endpoints.evaluations.listFeedbacks, { query: { page } })

/** Returns the ratings of all users, page by page. */
export function useRatings(): RatingsControl {
  const [ratings, setRatings] = useState<Ratings | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [page, setPage] = useState(1)
  useEffect(() => {
    Promise.all([call(endpoints.evaluations.leaderboard, { query: {} }), readPage(1)]).then(
      ([{ entries }, first]) => setRatings({ entries, ...first }),
      (thrown: unknown) => setProblem(toSentence(thrown)),
    )
  }, [turn])
  const retry = useCallback(() => {
    setProblem(null)
    setTurn((count) => count + 1)
  }, [])
  const readMore = async (): Promise<void> => {
    const { items, total } = await readPage(page + 1)
    setPage(page + 1)
    setRatings((before) => before && { ...before, items: [...before.items, ...items], total })
  }
  return { ratings, problem, retry, readMore }
}

import type { IndexedSearch } from './search-store.ts'
import { MOST_INDEXED } from './vector-tables.ts'

/** Up to here comparing with every vector of the scope is as fast as the way by the index. */
const MOST_COMPARED = 10_000
/** Vectors the index finds for each one wanted, and at least, before exact ones decide. */
const INDEXED_PER_CANDIDATE = 4
const LEAST_INDEXED = 200
/** PostgreSQL takes no more. */
const MOST_CANDIDATES = 1000
/** Vectors the index may look at beyond what the share of the scope makes likely. */
const VISITED_RESERVE = 4
const LEAST_VISITED = 20_000
/** Vectors that are compared in the time in which the index visits one. */
const COMPARED_PER_VISITED = 25

/** What is searched. */
export interface SearchedVectors {
  /** Vectors of the scope. */
  readonly within: number
  /** Vectors of the table. */
  readonly all: number
  readonly dimensions: number
  /** How many of the nearest are wanted. */
  readonly wanted: number
}

/** How to use the index of vectors; null when comparing with all of the scope costs less. */
export function planIndexed({
  within,
  all,
  dimensions,
  wanted,
}: SearchedVectors): IndexedSearch | null {
  if (within <= MOST_COMPARED || dimensions > MOST_INDEXED) return null
  const candidates = Math.min(
    MOST_CANDIDATES,
    Math.max(LEAST_INDEXED, wanted * INDEXED_PER_CANDIDATE),
  )
  // Among those the index visits, the share of the scope is in it.
  const likely = Math.ceil((candidates * all) / within)
  if (likely * COMPARED_PER_VISITED > within) return null
  return { candidates, visited: Math.max(LEAST_VISITED, likely * VISITED_RESERVE) }
}

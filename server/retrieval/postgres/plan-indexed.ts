import type { IndexedSearch } from './search-store.ts'
import { MOST_INDEXED } from './vector-tables.ts'

/**
 * Number of vectors in the scope up to which comparing all of them is as fast as using the index.
 */
const MOST_COMPARED = 10_000
/**
 * Number of vectors the index finds for each requested one, and its minimum, before exact ones are
 * compared.
 */
const INDEXED_PER_CANDIDATE = 4
const LEAST_INDEXED = 200
/** Maximum allowed by PostgreSQL. */
const MOST_CANDIDATES = 1000
/**
 * Factor of vectors the index may visit beyond the number expected from the share of the scope, and
 * its minimum.
 */
const VISITED_RESERVE = 4
const LEAST_VISITED = 20_000
/** Number of vectors compared in the time in which the index visits one. */
const COMPARED_PER_VISITED = 25

/** Sizes of the searched vectors. */
export interface SearchedVectors {
  /** Number of vectors in the scope. */
  readonly within: number
  /** Number of vectors in the table. */
  readonly all: number
  readonly dimensions: number
  /** Number of nearest vectors requested. */
  readonly wanted: number
}

/** Plans the use of the vector index; returns null if comparing the whole scope costs less. */
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
  // The visited vectors contain the same share of the scope as the table.
  const likely = Math.ceil((candidates * all) / within)
  if (likely * COMPARED_PER_VISITED > within) return null
  return { candidates, visited: Math.max(LEAST_VISITED, likely * VISITED_RESERVE) }
}

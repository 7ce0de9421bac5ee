import type { Passage } from '../passage.ts'

/** One search as executed by the thread; with all parameters resolved. */
export interface SearchOrder {
  readonly texts: readonly string[]
  /** Vectors of the texts in order; null searches words only. */
  readonly vectors: readonly Float32Array[] | null
  /** Engine of these vectors; those of others are ignored. */
  readonly engine: string
  readonly collections: readonly string[]
  readonly documents: readonly string[]
  readonly usesWords: boolean
  /** Weight of words relative to meaning, 0 to 1. */
  readonly wordWeight: number
  readonly limit: number
  readonly threshold: number
  /** Null if only the limit counts. */
  readonly tokenBudget: number | null
  /** False keeps passages separate, for a reranker that scores them one by one. */
  readonly joinsNeighbours: boolean
}

/** Number of rows in each part of the index; all numbers are equal in a sound one. */
export interface IndexHealth {
  readonly passages: number
  readonly vectors: number
  readonly codes: number
  readonly words: number
}

export interface SearchThreadOptions {
  readonly database: string
  /** Maximum memory for copies of vectors. */
  readonly vectorBytes: number
  /** See `addVectorTables`. */
  readonly vectorLibrary?: string
}

export type SearchCommand =
  | { readonly type: 'search'; readonly id: number; readonly order: SearchOrder }
  /** Joins neighbours among reranked passages, and takes the best of them. */
  | {
      readonly type: 'choose'
      readonly id: number
      readonly passages: readonly Passage[]
      readonly order: SearchOrder
    }
  | { readonly type: 'count'; readonly id: number; readonly text: string }
  | { readonly type: 'health'; readonly id: number }
  | { readonly type: 'close' }

export type SearchReport =
  /** Sent when the thread starts: the reason why there are no vectors, or null if there are. */
  | { readonly type: 'vectors-checked'; readonly problem: string | null }
  | { readonly type: 'passages'; readonly id: number; readonly passages: readonly Passage[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number }
  | { readonly type: 'health'; readonly id: number; readonly health: IndexHealth }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string }

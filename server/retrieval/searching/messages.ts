import type { Passage } from '../passage.ts'

/** One search as the thread does it; everything is decided. */
export interface SearchOrder {
  readonly texts: readonly string[]
  /** Of the texts in their order; null searches words only. */
  readonly vectors: readonly Float32Array[] | null
  /** Engine of these vectors; those of others are left alone. */
  readonly engine: string
  readonly collections: readonly string[]
  readonly documents: readonly string[]
  readonly usesWords: boolean
  /** How much words count against meaning, 0 to 1. */
  readonly wordWeight: number
  readonly limit: number
  readonly threshold: number
  /** Null when only the limit counts. */
  readonly tokenBudget: number | null
  /** False leaves passages apart, for a reranker that judges them one by one. */
  readonly joinsNeighbours: boolean
}

/** How many rows each part of the index has; all numbers are the same in a sound one. */
export interface IndexHealth {
  readonly passages: number
  readonly vectors: number
  readonly codes: number
  readonly words: number
}

export interface SearchThreadOptions {
  readonly database: string
  /** Most memory for copies of vectors. */
  readonly vectorBytes: number
  /** See `addVectorTables`. */
  readonly vectorLibrary?: string | undefined
}

export type SearchCommand =
  | { readonly type: 'search'; readonly id: number; readonly order: SearchOrder }
  /** Joins neighbours among passages that were ranked again, and takes the best of them. */
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
  /** Told when the thread starts: why there are no vectors, or null when there are. */
  | { readonly type: 'vectors-checked'; readonly problem: string | null }
  | { readonly type: 'passages'; readonly id: number; readonly passages: readonly Passage[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number }
  | { readonly type: 'health'; readonly id: number; readonly health: IndexHealth }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string }

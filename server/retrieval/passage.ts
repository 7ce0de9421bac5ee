/**
 * A stretch of a document that answers a query. `text` is the document's text from `start` to
 * `end`.
 */
export interface Passage {
  readonly chunk_id: number
  readonly document_id: string
  readonly name: string
  readonly text: string
  /**
   * What the text cannot be read without, such as the header of the table it continues; empty when
   * it stands alone.
   */
  readonly preface: string
  readonly page: number | null
  readonly page_label: string | null
  /** Headings the passage stands under, outermost first. */
  readonly heading: readonly string[]
  readonly start: number
  readonly end: number
  readonly tokens: number
  /**
   * 0 to 1, higher is better; what the relevance threshold is compared with. The reranker's
   * judgement where there is one, else the likeness of the meaning (cosine) and the share of the
   * query's words, rare ones counting more, weighted as the search is.
   */
  readonly score: number
  readonly vector_score: number | null
  readonly word_score: number | null
  readonly rerank_score: number | null
}

/** How to search. Options that are absent come from the settings. */
export interface SearchQuery {
  /** Several wordings of one question; what answers any of them is found. */
  readonly texts: readonly string[]
  /** Together with `documents` the scope; a query without any scope finds nothing. */
  readonly collections?: readonly string[]
  readonly documents?: readonly string[]
  readonly limit?: number
  /** How many are kept of those a reranker judged. */
  readonly rerankLimit?: number
  /** Share of the words against the meaning, 0 to 1. */
  readonly wordWeight?: number
  readonly threshold?: number
  readonly mode?: 'hybrid' | 'vector' | 'words'
  readonly rerank?: boolean
  /** Passages are taken until their tokens reach this many. */
  readonly tokenBudget?: number
}

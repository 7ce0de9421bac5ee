/**
 * A section of a document that answers a query. `text` is the document's text from `start` to
 * `end`.
 */
export interface Passage {
  readonly chunk_id: number
  readonly document_id: string
  readonly name: string
  readonly text: string
  /**
   * Context required to read the text, such as the header of the table it continues; empty if there
   * is none.
   */
  readonly preface: string
  readonly page: number | null
  readonly page_label: string | null
  /** Headings above the passage, outermost first. */
  readonly heading: readonly string[]
  readonly start: number
  readonly end: number
  readonly tokens: number
  /**
   * 0 to 1, higher is better; compared with the relevance threshold. The reranker's score if there
   * is one, else the similarity of the meaning (cosine) and the share of the query's words, with
   * rare ones counting more, weighted like the search.
   */
  readonly score: number
  readonly vector_score: number | null
  readonly word_score: number | null
  readonly rerank_score: number | null
}

/** Parameters of a search. Absent options are taken from the settings. */
export interface SearchQuery {
  /** Several wordings of one question; a passage that matches any of them is found. */
  readonly texts: readonly string[]
  /** Together with `documents` the scope; a query without any scope finds nothing. */
  readonly collections?: readonly string[]
  readonly documents?: readonly string[]
  readonly limit?: number
  /** Number of passages kept after reranking. */
  readonly rerankLimit?: number
  /** Weight of words relative to meaning, 0 to 1. */
  readonly wordWeight?: number
  readonly threshold?: number
  readonly mode?: 'hybrid' | 'vector' | 'words'
  readonly rerank?: boolean
  /** Passages are added until their tokens reach this number. */
  readonly tokenBudget?: number
}

import type { Generated } from 'kysely'

/** One version of a document; see the step that created the table. */
export interface RetrievalDocumentTable {
  seq: Generated<number>
  id: string
  state: 'building' | 'ready' | 'gone'
  kind: 'file' | 'web' | 'text'
  name: string
  /** JSON object. */
  metadata: string
  format: 'markdown' | 'text' | 'code' | 'table'
  title: string | null
  language: string | null
  /** JSON of the extracted document's pages. */
  pages: string
  /** Engine of the version's vectors; empty if it has none, because they could not be stored. */
  engine: string
  /** Number of values of each vector; 0 until the first is written. */
  dimensions: Generated<number>
  /** Settings used for splitting; another value requires splitting again. */
  splitting: string
  first_chunk: Generated<number>
  chunks: Generated<number>
  tokens: Generated<number>
  created_at: number
}

export interface RetrievalChunkTable {
  id: number
  document_seq: number
  start: number
  end: number
  page: number | null
  page_label: string | null
  tokens: number
  /** JSON array of headings. */
  heading: string
  preface: string
  text: string
}

export interface RetrievalCodesTable {
  first_chunk: number
  document_seq: number
  chunks: number
  /** One 32-bit float for each chunk: the factor of its codes. */
  scales: Buffer
  /** `dimensions` bytes for each chunk, padded to a multiple of 16. */
  codes: Buffer
}

export interface RetrievalMemberTable {
  collection: string
  document_id: string
}

/**
 * Tables of retrieval as Kysely sees them; the word index (`retrieval_words`) and the vectors
 * (`retrieval_vector_<values>`) are queried as SQL text.
 */
export interface RetrievalTables {
  retrieval_document: RetrievalDocumentTable
  retrieval_chunk: RetrievalChunkTable
  retrieval_codes: RetrievalCodesTable
  retrieval_member: RetrievalMemberTable
  retrieval_generation: { value: number; next_chunk: number }
}

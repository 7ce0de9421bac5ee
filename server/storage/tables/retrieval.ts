import type { Generated } from 'kysely'

/** One version of a document; see the step that made the table. */
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
  /**
   * Engine whose vectors the version has; empty when it has none, because they could not be kept.
   */
  engine: string
  /** Values of each vector; 0 until the first is written. */
  dimensions: Generated<number>
  /** How it was cut; another value of the settings means to cut it again. */
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
  /** One 32-bit float for each chunk: what its codes are to be multiplied with. */
  scales: Buffer
  /** `dimensions` bytes for each chunk, filled up to a multiple of 16. */
  codes: Buffer
}

export interface RetrievalMemberTable {
  collection: string
  document_id: string
}

/**
 * Tables of retrieval as Kysely sees them; the index of words (`retrieval_words`) and the vectors
 * (`retrieval_vector_<values>`) are queried as text.
 */
export interface RetrievalTables {
  retrieval_document: RetrievalDocumentTable
  retrieval_chunk: RetrievalChunkTable
  retrieval_codes: RetrievalCodesTable
  retrieval_member: RetrievalMemberTable
  retrieval_generation: { value: number; next_chunk: number }
}

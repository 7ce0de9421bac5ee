import type { QueryResult } from '#contract/retrieval.ts'

/** A passage found for a question, with the components of its score. */
export interface FoundPassage {
  readonly id: string
  readonly text: string
  readonly name: string
  /** Id of its file; null for fetched pages and texts, which cannot be opened. */
  readonly fileId: string | null
  readonly page: number | null
  readonly pageLabel: string | null
  readonly heading: readonly string[]
  readonly start: number
  readonly end: number
  readonly tokens: number | null
  /** Combined score from 0 to 1, which determines the order. */
  readonly fused: number
  /** Null if it was not found by this method, or nothing was reranked. */
  readonly vector: number | null
  readonly words: number | null
  readonly rerank: number | null
}

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Converts a search response to a list of passages, the best first. */
export const readPassages = ({
  ids,
  documents,
  distances,
  metadatas,
}: QueryResult): readonly FoundPassage[] =>
  (ids[0] ?? []).map((id, index) => {
    const about = metadatas[0]?.[index] ?? { name: '', source: '' }
    const { heading } = about
    return {
      id,
      text: documents[0]?.[index] ?? '',
      name: about.name,
      fileId: toText(about['file_id']),
      page: toNumber(about['page']),
      pageLabel: toText(about['page_label']),
      heading: Array.isArray(heading) ? heading.filter((part) => typeof part === 'string') : [],
      start: toNumber(about['start']) ?? 0,
      end: toNumber(about['end']) ?? 0,
      tokens: toNumber(about['tokens']),
      fused: distances[0]?.[index] ?? 0,
      vector: toNumber(about['vector_score']),
      words: toNumber(about['word_score']),
      rerank: toNumber(about['rerank_score']),
    }
  })

import type { Passage } from '../passage.ts'
import type { Candidate } from './fuse.ts'
import type { ScopeDocument, StoredChunk } from './store.ts'

/** Returns candidates with their texts and positions; omits deleted ones. */
export function toPassages(
  candidates: readonly Candidate[],
  chunkOf: (id: number) => StoredChunk | null | undefined,
  documents: ReadonlyMap<number, Pick<ScopeDocument, 'id' | 'name'>>,
): Passage[] {
  return candidates.flatMap(({ id, ...scores }) => {
    const chunk = chunkOf(id)
    const document = chunk && documents.get(chunk.document_seq)
    if (!document) return []
    const { text, preface, page, page_label, heading, start, end, tokens } = chunk
    const origin = { chunk_id: id, document_id: document.id, name: document.name }
    const place = { page, page_label, heading: JSON.parse(heading) as string[], start, end }
    return [{ ...origin, text, preface, ...place, tokens, ...scores, rerank_score: null }]
  })
}

/**
 * Number of candidates of each list before merging, for each requested passage, and its minimum.
 */
const CANDIDATES_PER_PASSAGE = 4
const LEAST_CANDIDATES = 40

/** Returns the number of candidates of each list to merge for the given number of passages. */
export const countCandidates = (limit: number): number =>
  Math.max(LEAST_CANDIDATES, limit * CANDIDATES_PER_PASSAGE)

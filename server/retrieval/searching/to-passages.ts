import type { Passage } from '../passage.ts'
import type { Candidate } from './fuse.ts'
import type { ScopeDocument, StoredChunk } from './store.ts'

/** Candidates with their texts and places; those that are not there any more are left out. */
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

/** Candidates of each list before they are joined, for each passage wanted, and at least. */
const CANDIDATES_PER_PASSAGE = 4
const LEAST_CANDIDATES = 40

/** How many candidates of each list are joined to find so many passages. */
export const countCandidates = (limit: number): number =>
  Math.max(LEAST_CANDIDATES, limit * CANDIDATES_PER_PASSAGE)

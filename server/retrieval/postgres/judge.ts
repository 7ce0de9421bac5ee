import type { Passage } from '../passage.ts'
import { choosePassages } from '../searching/choose.ts'
import { fuse } from '../searching/fuse.ts'
import type { SearchOrder } from '../searching/messages.ts'
import { scoreByWords } from '../searching/search-words.ts'
import { countCandidates, toPassages } from '../searching/to-passages.ts'
import type { Gathered } from './messages.ts'

/**
 * Returns the best of the passages found by the database, chosen like those of a search in SQLite.
 */
export function judge(
  { findings, hasVectors, chunks, documents }: Gathered,
  order: SearchOrder,
): Passage[] {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  const count = countCandidates(order.limit)
  const judged = findings.map(({ near, worded: { terms, ids } }) => ({
    near,
    worded: scoreByWords(
      terms,
      ids.flatMap((id) => byId.get(id) ?? []),
      count,
    ),
  }))
  const candidates = fuse(judged, order.wordWeight, {
    vectors: hasVectors,
    words: order.usesWords,
  }).slice(0, count)
  const passages = toPassages(
    candidates,
    (id) => byId.get(id),
    new Map(documents.map((document) => [document.seq, document])),
  )
  return choosePassages(passages, order)
}

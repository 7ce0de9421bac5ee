import { foldWord, wordsOf } from '../../lib/text/words.ts'
import { findWorded, type CountedTerm, type WordQuestion } from './find-worded.ts'
import type { ChunkRange, SearchStore, StoredChunk } from './store.ts'

/**
 * A passage found by words. `coverage` is the share of the query's terms in it, with rare ones
 * counting more, 0 to 1.
 */
export interface WordHit {
  readonly id: number
  readonly coverage: number
}

/** Usual parameters of BM25. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75
const USUAL_WORDS = 220
const HEADING_GAIN = 0.5

/** Counts each folded word, or two adjacent characters of a script without spaces, in a text. */
function countWords(
  text: string,
  wanted: ReadonlySet<string>,
): { counts: Map<string, number>; words: number } {
  const counts = new Map<string, number>()
  const note = (word: string): void => {
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  let words = 0
  let before: { text: string; end: number } | null = null
  for (const word of wordsOf(text)) {
    words += 1
    const folded = foldWord(word.text)
    note(folded)
    if (before && before.end === word.start) note(before.text + folded)
    before = { text: folded, end: word.end }
  }
  return { counts, words }
}

/** Returns the passages with the highest total value of terms, the best first. */
export function scoreByWords(
  terms: readonly CountedTerm[],
  chunks: readonly StoredChunk[],
  limit: number,
): WordHit[] {
  const whole = terms.reduce((sum, { value }) => sum + value, 0)
  const wanted = new Set(terms.map(({ folded }) => folded))
  return chunks
    .map((chunk) => {
      const body = countWords(chunk.text, wanted)
      const head = countWords(
        `${(JSON.parse(chunk.heading) as string[]).join('\n')}\n${chunk.preface}`,
        wanted,
      )
      const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * body.words) / USUAL_WORDS)
      let score = 0
      let covered = 0
      for (const { folded, value } of terms) {
        const often = (body.counts.get(folded) ?? 0) + (head.counts.get(folded) ?? 0) * HEADING_GAIN
        if (often === 0) continue
        covered += value
        score += (value * often * (SATURATION + 1)) / (often + norm)
      }
      return { id: chunk.id, score, coverage: Math.min(1, covered / whole) }
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map(({ id, coverage }) => ({ id, coverage }))
}

function answer(store: SearchStore, question: WordQuestion, range: ChunkRange): number[] {
  if (question.ask === 'count')
    return question.matches.map((match) => store.countMatches(match, range, question.most))
  const { ask, match, limit } = question
  return ask === 'list'
    ? store.listMatches(match, range, limit)
    : store.rankMatches(match, range, limit)
}

/** Returns passages with the words of a text, the best first, in the current scope of the store. */
export function searchWords(
  store: SearchStore,
  text: string,
  range: ChunkRange,
  limit: number,
): WordHit[] {
  const search = findWorded(text, range.end - range.first)
  let step = search.next()
  while (!step.done) step = search.next(answer(store, step.value, range))
  const { terms, ids } = step.value
  return scoreByWords(
    terms,
    ids.flatMap((id) => store.chunk(id) ?? []),
    limit,
  )
}

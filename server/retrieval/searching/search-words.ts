import { foldWord, wordsOf } from '../../lib/words.ts'
import { toQueryTerms, type QueryTerm } from './query-terms.ts'
import type { ChunkRange, SearchStore } from './store.ts'

/**
 * A passage found by words. `coverage` is the share of the query's terms in it, rare ones counting
 * more, 0 to 1.
 */
export interface WordHit {
  readonly id: number
  readonly coverage: number
}

/** Above this it does not matter how many passages exactly have a term. */
const MOST_COUNTED = 20_000
/**
 * BM25 is computed for the passages of rare terms only; its cost grows with all passages that have
 * a term.
 */
const MOST_RANKED = 2000
const CANDIDATES = 150
const ENOUGH = 30
/** Usual values of BM25. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75
const USUAL_WORDS = 220
const HEADING_GAIN = 0.5

interface CountedTerm extends QueryTerm {
  readonly matches: number
  /** Rarity times own weight. */
  readonly value: number
}

function countTerms(
  store: SearchStore,
  terms: readonly QueryTerm[],
  range: ChunkRange,
): CountedTerm[] {
  const total = Math.max(1, range.end - range.first)
  return terms
    .map((term) => {
      const matches = store.countMatches(term.match, range, MOST_COUNTED + 1)
      return {
        ...term,
        matches,
        value:
          term.weight * Math.log(1 + (total - Math.min(matches, total) + 0.5) / (matches + 0.5)),
      }
    })
    .sort((a, b) => a.matches - b.matches)
}

/** The rarest terms, as many as few enough passages have together. */
function takeRare(terms: readonly CountedTerm[]): CountedTerm[] {
  let sum = 0
  return terms.filter(({ matches }) => {
    sum += matches
    return sum <= MOST_RANKED
  })
}

const joinTerms = (terms: readonly QueryTerm[], word: 'OR' | 'AND'): string =>
  terms.map(({ match }) => match).join(` ${word} `)

/**
 * Passages that have as many of the terms as possible: all of them, then all but the most frequent,
 * down to the two rarest.
 */
function listTogether(
  store: SearchStore,
  terms: readonly CountedTerm[],
  range: ChunkRange,
  ids: Set<number>,
): void {
  for (let kept = terms.length; kept > 1 && ids.size < ENOUGH; kept -= 1)
    for (const id of store.listMatches(joinTerms(terms.slice(0, kept), 'AND'), range, CANDIDATES))
      ids.add(id)
}

/** The ids that are worth a closer look. */
function findCandidates(
  store: SearchStore,
  terms: readonly CountedTerm[],
  range: ChunkRange,
): number[] {
  const present = terms.filter(({ matches }) => matches > 0)
  const rare = takeRare(present)
  const frequent = present.slice(rare.length)
  const ids = new Set<number>()
  const rank = (match: string): void => {
    for (const { id } of store.rankMatches(match, range, CANDIDATES)) ids.add(id)
  }
  if (rare.length > 0) rank(joinTerms(rare, 'OR'))
  // Among many with the same rare term those with a frequent one too come first.
  if (ids.size >= CANDIDATES && frequent.length > 0)
    rank(`(${joinTerms(rare, 'OR')}) AND (${joinTerms(frequent, 'OR')})`)
  if (ids.size < ENOUGH && frequent.length > 0) {
    listTogether(store, present, range, ids)
    if (ids.size < ENOUGH)
      for (const id of store.listMatches(joinTerms(present, 'OR'), range, CANDIDATES)) ids.add(id)
  }
  return [...ids]
}

/** How often each folded word, or two characters of a script without spaces, stand in a text. */
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

/** Passages that have the words of a text, the best first, in the scope the store was given. */
export function searchWords(
  store: SearchStore,
  text: string,
  range: ChunkRange,
  limit: number,
): WordHit[] {
  const terms = countTerms(store, toQueryTerms(text), range)
  const whole = terms.reduce((sum, { value }) => sum + value, 0)
  if (whole <= 0) return []
  const wanted = new Set(terms.map(({ folded }) => folded))
  return findCandidates(store, terms, range)
    .flatMap((id) => {
      const chunk = store.chunk(id)
      if (!chunk) return []
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
      return [{ id, score, coverage: Math.min(1, covered / whole) }]
    })
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map(({ id, coverage }) => ({ id, coverage }))
}

import { toQueryTerms, type QueryTerm } from './query-terms.ts'

/** Something the index of words is asked about the passages of a scope. */
export type WordQuestion =
  /** How many passages have each of the terms, at most `most`. */
  | { readonly ask: 'count'; readonly matches: readonly string[]; readonly most: number }
  /** The best by BM25 of those that match; `terms` are all terms of `match`. */
  | {
      readonly ask: 'rank'
      readonly match: string
      readonly terms: readonly string[]
      readonly limit: number
    }
  /** Some that match, newest first. */
  | { readonly ask: 'list'; readonly match: string; readonly limit: number }

/** Questions to the index one after the other, each answered by counts or ids, and what comes of them. */
export type WordSearch<Result> = Generator<WordQuestion, Result, readonly number[]>

export interface CountedTerm extends QueryTerm {
  readonly matches: number
  /** Rarity times own weight. */
  readonly value: number
}

/** The passages that are worth a closer look, and what to look for in them. */
export interface WordFindings {
  readonly terms: readonly CountedTerm[]
  readonly ids: readonly number[]
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

function* countTerms(terms: readonly QueryTerm[], passages: number): WordSearch<CountedTerm[]> {
  const total = Math.max(1, passages)
  const matches = terms.map((term) => term.match)
  const counts = yield { ask: 'count', matches, most: MOST_COUNTED + 1 }
  const counted = terms.map((term, place) => {
    const count = counts[place]!
    const rarity = Math.log(1 + (total - Math.min(count, total) + 0.5) / (count + 0.5))
    return { ...term, matches: count, value: term.weight * rarity }
  })
  return counted.sort((a, b) => a.matches - b.matches)
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

const rank = (match: string, terms: readonly QueryTerm[]): WordQuestion => ({
  ask: 'rank',
  match,
  terms: terms.map((term) => term.match),
  limit: CANDIDATES,
})

const list = (match: string): WordQuestion => ({ ask: 'list', match, limit: CANDIDATES })

/**
 * Passages that have as many of the terms as possible: all of them, then all but the most frequent,
 * down to the two rarest.
 */
function* listTogether(terms: readonly CountedTerm[], ids: Set<number>): WordSearch<void> {
  for (let kept = terms.length; kept > 1 && ids.size < ENOUGH; kept -= 1)
    for (const id of yield list(joinTerms(terms.slice(0, kept), 'AND'))) ids.add(id)
}

/** The ids that are worth a closer look. */
function* findCandidates(terms: readonly CountedTerm[]): WordSearch<number[]> {
  const present = terms.filter(({ matches }) => matches > 0)
  const rare = takeRare(present)
  const frequent = present.slice(rare.length)
  const ids = new Set<number>()
  if (rare.length > 0) for (const id of yield rank(joinTerms(rare, 'OR'), rare)) ids.add(id)
  // Among many with the same rare term those with a frequent one too come first.
  if (ids.size >= CANDIDATES && frequent.length > 0) {
    const match = `(${joinTerms(rare, 'OR')}) AND (${joinTerms(frequent, 'OR')})`
    for (const id of yield rank(match, present)) ids.add(id)
  }
  if (ids.size < ENOUGH && frequent.length > 0) {
    yield* listTogether(present, ids)
    if (ids.size < ENOUGH) for (const id of yield list(joinTerms(present, 'OR'))) ids.add(id)
  }
  return [...ids]
}

/**
 * Looks for passages with the words of a text among about so many. It asks and is answered step by
 * step, so that it is the same whether an index answers at once or later.
 */
export function* findWorded(text: string, passages: number): WordSearch<WordFindings> {
  const terms = yield* countTerms(toQueryTerms(text), passages)
  const isWorthless = terms.every(({ value }) => value <= 0)
  return { terms, ids: isWorthless ? [] : yield* findCandidates(terms) }
}

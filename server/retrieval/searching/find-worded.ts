import { toQueryTerms, type QueryTerm } from './query-terms.ts'

/** A query to the word index about the passages of a scope. */
export type WordQuestion =
  /** Number of passages with each of the terms, at most `most`. */
  | { readonly ask: 'count'; readonly matches: readonly string[]; readonly most: number }
  /** The best matches by BM25; `terms` are all terms of `match`. */
  | {
      readonly ask: 'rank'
      readonly match: string
      readonly terms: readonly string[]
      readonly limit: number
    }
  /** Some matches, newest first. */
  | { readonly ask: 'list'; readonly match: string; readonly limit: number }

/** A sequence of queries to the index, each answered by counts or ids, and its result. */
export type WordSearch<Result> = Generator<WordQuestion, Result, readonly number[]>

export interface CountedTerm extends QueryTerm {
  readonly matches: number
  /** Rarity multiplied by the term's weight. */
  readonly value: number
}

/** Candidate passages, and the terms to look for in them. */
export interface WordFindings {
  readonly terms: readonly CountedTerm[]
  readonly ids: readonly number[]
}

/** Number of passages above which the exact count of a term does not matter. */
const MOST_COUNTED = 20_000
/**
 * BM25 is computed for passages with rare terms only; its cost grows with the number of passages
 * that contain a term.
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

/** Returns the rarest terms, as long as the total number of their passages is small enough. */
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
 * Lists passages with as many of the terms as possible: all of them, then all but the most
 * frequent, down to the two rarest.
 */
function* listTogether(terms: readonly CountedTerm[], ids: Set<number>): WordSearch<void> {
  for (let kept = terms.length; kept > 1 && ids.size < ENOUGH; kept -= 1)
    for (const id of yield list(joinTerms(terms.slice(0, kept), 'AND'))) ids.add(id)
}

/** Returns the ids of candidates. */
function* findCandidates(terms: readonly CountedTerm[]): WordSearch<number[]> {
  const present = terms.filter(({ matches }) => matches > 0)
  const rare = takeRare(present)
  const frequent = present.slice(rare.length)
  const ids = new Set<number>()
  if (rare.length > 0) for (const id of yield rank(joinTerms(rare, 'OR'), rare)) ids.add(id)
  // If many have the same rare term, those that also have a frequent one come first.
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
 * Searches passages with the words of a text among about the given number. It yields queries step
 * by step, so that it works with both synchronous and asynchronous indexes.
 */
export function* findWorded(text: string, passages: number): WordSearch<WordFindings> {
  const terms = yield* countTerms(toQueryTerms(text), passages)
  const isWorthless = terms.every(({ value }) => value <= 0)
  return { terms, ids: isWorthless ? [] : yield* findCandidates(terms) }
}

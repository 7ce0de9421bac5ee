import type { WordHit } from './search-words.ts'

/** Results for one text. */
export interface Findings {
  /** Nearest first, with the cosine of the angle. */
  readonly near: readonly { readonly id: number; readonly score: number }[]
  readonly worded: readonly WordHit[]
}

/** A candidate of all texts combined. */
export interface Candidate {
  readonly id: number
  readonly score: number
  readonly vector_score: number | null
  readonly word_score: number | null
}

/**
 * Added to a rank, counted from 0, before the division. Small, because the first positions of
 * either list mean much more than the tenth.
 */
const RANK_OFFSET = 3
/**
 * Factor for a passage with all words of a query, relative to the same position among the nearest.
 */
const FULL_COVERAGE = 3

interface Sums {
  rank: number
  vector: number | null
  word: number | null
}

const larger = (known: number | null, value: number): number => Math.max(known ?? 0, value)

/**
 * Merges the lists by reciprocal ranks: a passage ranked high in one of them comes first, one
 * ranked high in both before it. A position among the words counts by the share of the query found
 * in the passage: the best of passages with only one word of it may be irrelevant. Ranks do not
 * express relevance, hence `score` is computed from the scores themselves.
 */
export function fuse(
  findings: readonly Findings[],
  wordWeight: number,
  modes: { vectors: boolean; words: boolean },
): Candidate[] {
  const sums = new Map<number, Sums>()
  const at = (id: number): Sums => {
    const known = sums.get(id)
    if (known) return known
    const fresh: Sums = { rank: 0, vector: null, word: null }
    sums.set(id, fresh)
    return fresh
  }
  const weightOfWords = modes.vectors && modes.words ? wordWeight : modes.words ? 1 : 0
  for (const { near, worded } of findings) {
    for (const [place, { id, score }] of near.entries()) {
      const sum = at(id)
      sum.rank += (1 - weightOfWords) / (RANK_OFFSET + place)
      sum.vector = larger(sum.vector, Math.min(1, Math.max(0, score)))
    }
    for (const [place, { id, coverage }] of worded.entries()) {
      const sum = at(id)
      sum.rank += (weightOfWords * FULL_COVERAGE * coverage) / (RANK_OFFSET + place)
      sum.word = larger(sum.word, coverage)
    }
  }
  return [...sums]
    .sort(([a, first], [b, second]) => second.rank - first.rank || a - b)
    .map(([id, { vector, word }]) => ({
      id,
      score: (vector ?? 0) * (1 - weightOfWords) + (word ?? 0) * weightOfWords,
      vector_score: vector,
      word_score: word,
    }))
}

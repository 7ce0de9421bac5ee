import type { Passage } from '../passage.ts'

/** Limits of a choice. */
export interface Choice {
  readonly limit: number
  readonly threshold: number
  readonly tokenBudget: number | null
  readonly joinsNeighbours: boolean
}

/** Share of common words above which two passages count as duplicates. */
const SAME = 0.9
const LONGEST_JOINED = 4

const wordSet = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  )

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  if (small.size < large.size * SAME) return false
  let common = 0
  for (const word of small) if (large.has(word)) common += 1
  return common >= SAME * (small.size + large.size - common)
}

/** Drops passages that duplicate a better one, such as two versions of one letter. */
export function dropDuplicates(passages: readonly Passage[], most: number): Passage[] {
  const kept: { passage: Passage; words: Set<string> }[] = []
  for (const passage of passages) {
    if (kept.length >= most) break
    const words = wordSet(passage.text)
    if (!kept.some((other) => isSame(other.words, words))) kept.push({ passage, words })
  }
  return kept.map(({ passage }) => passage)
}

/** Returns true if two passages of a document are adjacent, on one page and under one heading. */
const touch = (a: Passage, b: Passage): boolean =>
  a.document_id === b.document_id &&
  a.page === b.page &&
  a.start <= b.end &&
  b.start <= a.end &&
  a.heading.length === b.heading.length &&
  a.heading.every((heading, place) => heading === b.heading[place])

/** Joins two passages: position and scores of the better one, text of both. */
function join(better: Passage, other: Passage): Passage {
  const [first, second] = better.start <= other.start ? [better, other] : [other, better]
  const overlap = Math.max(0, first.end - second.start)
  const added = second.text.slice(overlap)
  const share = second.text.length === 0 ? 0 : added.length / second.text.length
  return {
    ...better,
    text: second.end <= first.end ? first.text : first.text + added,
    preface: first.preface,
    start: first.start,
    end: Math.max(first.end, second.end),
    tokens: first.tokens + Math.round(second.tokens * share),
  }
}

/** Joins neighbours to longer passages, each at the position of its best part. */
export function joinNeighbours(passages: readonly Passage[]): Passage[] {
  const joined: { passage: Passage; parts: number }[] = []
  for (const passage of passages) {
    const touching = joined.filter(
      (other) => other.parts < LONGEST_JOINED && touch(other.passage, passage),
    )
    const [host, ...rest] = touching
    if (!host) {
      joined.push({ passage, parts: 1 })
      continue
    }
    host.passage = join(host.passage, passage)
    host.parts += 1
    // The new part may close the gap between two separate passages.
    for (const other of rest) {
      if (host.parts + other.parts > LONGEST_JOINED || !touch(host.passage, other.passage)) continue
      host.passage = join(host.passage, other.passage)
      host.parts += other.parts
      joined.splice(joined.indexOf(other), 1)
    }
  }
  return joined.map(({ passage }) => passage)
}

/** Trims white space and adjusts the offsets. */
function trim(passage: Passage): Passage {
  const text = passage.text.trim()
  const start = passage.start + (passage.text.length - passage.text.trimStart().length)
  return { ...passage, text, start, end: start + text.length }
}

/**
 * Returns the chosen passages, the best first. The first one is returned even if it alone exceeds
 * the budget.
 */
export function choosePassages(
  ranked: readonly Passage[],
  { limit, threshold, tokenBudget, joinsNeighbours }: Choice,
): Passage[] {
  const relevant = ranked.filter(({ score }) => score >= threshold)
  const different = dropDuplicates(relevant, limit)
  const passages = joinsNeighbours ? joinNeighbours(different) : different
  if (tokenBudget === null) return passages.map(trim)
  let spent = 0
  const affordable = passages.filter(({ tokens }, place) => {
    if (place > 0 && spent + tokens > tokenBudget) return false
    spent += tokens
    return true
  })
  return affordable.map(trim)
}

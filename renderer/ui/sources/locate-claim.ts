/** Position of an answer's claim in its source texts. */
export interface LocatedClaim {
  /** Index of the text. */
  readonly text: number
  /** Offsets into that text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

interface Stretch extends LocatedClaim {
  readonly terms: ReadonlySet<string>
}

/** Matches sentences, and standalone lines such as headings, rows and list items. */
const SENTENCE = /(?:(?![.!?](?:\s|$)|[。！？]|\n\s*(?:\n|[#|*•-]|\d+[.)]\s))[\s\S])+[.!?。！？]*/g
/** Length of the compared word stem, as word endings differ between an answer and its sources. */
const STEM = 6
const SHORTEST = 3
const PLURAL = /(?<=\p{L}{3})s$/u
/** Minimum share of a claim that must occur in a text to count as found. */
const LEAST_SHARE = 0.3
/** Minimum number of equal words, since one may be a coincidence. */
const LEAST_TERMS = 2
/** Share of the sentences above which a word is too common to be significant. */
const OFTEN = 0.35
/** Share of the best sentence's score from which adjacent sentences are included. */
const NEARLY = 0.6
const LONGEST = 600

const LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}]+/gu
const HAS_NO_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

function toTerms(text: string): Set<string> {
  const terms = new Set<string>()
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(LETTERS)) {
    if (HAS_NO_SPACES.test(word))
      for (let place = 0; place + 1 < word.length; place++) terms.add(word.slice(place, place + 2))
    else if (word.length >= SHORTEST || /\d/.test(word))
      terms.add(word.replace(PLURAL, '').slice(0, STEM))
  }
  return terms
}

const toStretches = (text: string, index: number): Stretch[] =>
  [...text.matchAll(SENTENCE)].flatMap((match): Stretch[] => {
    const words = match[0].trim()
    const start = match.index + match[0].indexOf(words)
    const terms = toTerms(words)
    return terms.size === 0 ? [] : [{ text: index, start, end: start + words.length, terms }]
  })

/** Returns the weight of each word: one that occurs in every sentence has almost none. */
function weigh(claim: ReadonlySet<string>, stretches: readonly Stretch[]): Map<string, number> {
  return new Map(
    [...claim].map((term) => {
      const count = stretches.filter(({ terms }) => terms.has(term)).length
      return [term, Math.log(1 + (stretches.length + 1) / (count + 1))]
    }),
  )
}

const sumOf = (weights: ReadonlyMap<string, number>, { terms }: Stretch): number => {
  let sum = 0
  for (const [term, weight] of weights) if (terms.has(term)) sum += weight
  return sum
}

/** Counts the words of a sentence that occur in the claim and are not too common. */
function countTelling(
  claim: ReadonlySet<string>,
  stretches: readonly Stretch[],
  { terms }: Stretch,
): number {
  const most = Math.max(1, stretches.length * OFTEN)
  return [...claim].filter(
    (term) =>
      terms.has(term) && stretches.filter((stretch) => stretch.terms.has(term)).length <= most,
  ).length
}

/** Extends the range by adjacent sentences that also match the claim. */
function widen(
  stretches: readonly Stretch[],
  scores: readonly number[],
  best: number,
): LocatedClaim {
  const { text } = stretches[best]!
  let [first, last] = [best, best]
  const fits = (place: number, from: number, to: number): boolean =>
    stretches[place]?.text === text &&
    scores[place]! >= scores[best]! * NEARLY &&
    stretches[to]!.end - stretches[from]!.start <= LONGEST
  while (fits(first - 1, first - 1, last)) first -= 1
  while (fits(last + 1, first, last + 1)) last += 1
  return { text, start: stretches[first]!.start, end: stretches[last]!.end }
}

/**
 * Finds the sentence in some texts that best matches a claim; null if none matches sufficiently,
 * e.g. in another language.
 */
export function locateClaim(texts: readonly string[], claim: string): LocatedClaim | null {
  const wanted = toTerms(claim)
  const stretches = texts.flatMap(toStretches)
  if (wanted.size === 0 || stretches.length === 0) return null
  const weights = weigh(wanted, stretches)
  const scores = stretches.map((stretch) => sumOf(weights, stretch))
  const best = scores.indexOf(Math.max(...scores))
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const isEnough =
    scores[best]! / whole >= LEAST_SHARE &&
    countTelling(wanted, stretches, stretches[best]!) >= Math.min(LEAST_TERMS, wanted.size)
  return isEnough ? widen(stretches, scores, best) : null
}

const MARKS = /\[\d{1,3}(?:\s?,\s?\d{1,3})*\]/g
const END_OF_SENTENCE = /[.!?](?=\s)|[。！？]/g
/**
 * Minimum number of words: a shorter sentence, such as "It is so.", is combined with the one
 * before.
 */
const FEWEST = 4

/** Returns the last sentence of a text, which a number after it cites a source for. */
export function lastClaim(before: string): string {
  const text = before.replaceAll(MARKS, ' ').replaceAll(/\s+/g, ' ').trim()
  const ends = [...text.matchAll(END_OF_SENTENCE)].map(({ index }) => index + 1)
  for (const end of ends.toReversed()) {
    const claim = text.slice(end).trim()
    if (toTerms(claim).size >= FEWEST) return claim
  }
  return text
}

/** Returns the claim at an answer's first citation of a source by number. */
export function firstClaim(answer: string, number: number): string {
  for (const match of answer.matchAll(MARKS)) {
    const named = match[0].slice(1, -1).split(',').map(Number)
    if (named.includes(number))
      return lastClaim(answer.slice(answer.lastIndexOf('\n', match.index) + 1, match.index))
  }
  return ''
}

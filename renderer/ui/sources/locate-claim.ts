/** Where a claim of an answer stands in the texts it rests on. */
export interface LocatedClaim {
  /** Which of the texts. */
  readonly text: number
  /** Offsets into that text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

interface Stretch extends LocatedClaim {
  readonly terms: ReadonlySet<string>
}

/** Sentences, and lines that stand alone such as headings, rows and items of lists. */
const SENTENCE = /(?:(?![.!?](?:\s|$)|[。！？]|\n\s*(?:\n|[#|*•-]|\d+[.)]\s))[\s\S])+[.!?。！？]*/g
/** Endings of words differ between an answer and what it rests on. */
const STEM = 6
const SHORTEST = 3
const PLURAL = /(?<=\p{L}{3})s$/u
/** A claim of which less than this stands somewhere is not found there. */
const LEAST_SHARE = 0.3
/** One word that is the same may be so by chance. */
const LEAST_TERMS = 2
/** A word in more than this share of the sentences tells nothing about any of them. */
const OFTEN = 0.35
/** Beside the best sentence, those that say nearly as much of the claim. */
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

/** How much a word tells: one that stands in every sentence tells next to nothing. */
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

/** How many words of a sentence are of the claim and do not stand nearly everywhere. */
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

/** Adds the sentences beside the best one that belong to the claim as well. */
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
 * Finds the sentence of some texts that says most of what is claimed; null when none says enough of
 * it, as in another language.
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
/** Words: what is shorter, such as "It is so.", is read together with the sentence before. */
const FEWEST = 4

/** The sentence a text ends with, which is what a number behind it is the source of. */
export function lastClaim(before: string): string {
  const text = before.replaceAll(MARKS, ' ').replaceAll(/\s+/g, ' ').trim()
  const ends = [...text.matchAll(END_OF_SENTENCE)].map(({ index }) => index + 1)
  for (const end of ends.toReversed()) {
    const claim = text.slice(end).trim()
    if (toTerms(claim).size >= FEWEST) return claim
  }
  return text
}

/** What an answer claims where it first names a source by its number. */
export function firstClaim(answer: string, number: number): string {
  for (const match of answer.matchAll(MARKS)) {
    const named = match[0].slice(1, -1).split(',').map(Number)
    if (named.includes(number))
      return lastClaim(answer.slice(answer.lastIndexOf('\n', match.index) + 1, match.index))
  }
  return ''
}

import { foldWord, wordsOf } from '../../lib/words.ts'
import { isFunctionWord } from './function-words.ts'

/**
 * Something a query looks for, found as one word or as a phrase of characters of a script without
 * spaces.
 */
export interface QueryTerm {
  /** As the index of words is asked for it. */
  readonly match: string
  /** As it stands in a folded text. */
  readonly folded: string
  /** How much it counts beside its rarity. */
  readonly weight: number
}

const MOST_TERMS = 32
/** Scripts written without spaces: there two characters together make a term. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u
/** Mostly endings and particles of Japanese. */
const HIRAGANA = /^\p{Script=Hiragana}+$/u
const PARTICLE_WEIGHT = 0.2

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

function phraseTerm(characters: readonly string[]): QueryTerm {
  const folded = characters.join('')
  return {
    match: quote(characters.join(' ')),
    folded,
    weight: HIRAGANA.test(folded) ? PARTICLE_WEIGHT : 1,
  }
}

/**
 * The terms of a stretch of a script without spaces: each two neighbours, or the one character
 * there is.
 */
const bigrams = (characters: readonly string[]): QueryTerm[] =>
  characters.length === 1
    ? [phraseTerm(characters)]
    : characters.slice(1).map((second, place) => phraseTerm([characters[place]!, second]))

/** The different terms of a text; words without a subject only when there is nothing else. */
export function toQueryTerms(text: string): QueryTerm[] {
  const spaced: QueryTerm[] = []
  const hollow: QueryTerm[] = []
  const terms: QueryTerm[] = []
  let stretch: string[] = []
  let end = -1
  const flush = (): void => {
    if (stretch.length > 0) terms.push(...bigrams(stretch))
    stretch = []
  }
  for (const word of wordsOf(text)) {
    const isUnspaced = UNSPACED.test(word.text)
    if (!isUnspaced || word.start !== end) flush()
    end = word.end
    if (isUnspaced) {
      stretch.push(word.text)
      continue
    }
    const folded = foldWord(word.text)
    const term = { match: quote(word.text), folded, weight: 1 }
    if (isFunctionWord(folded)) hollow.push(term)
    else spaced.push(term)
  }
  flush()
  const found = [...spaced, ...terms]
  const unique = new Map((found.length > 0 ? found : hollow).map((term) => [term.folded, term]))
  return [...unique.values()].filter(({ folded }) => folded !== '').slice(0, MOST_TERMS)
}

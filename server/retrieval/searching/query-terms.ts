import { foldWord, wordsOf } from '../../lib/text/words.ts'
import { isFunctionWord } from './function-words.ts'

/** A search term, found as one word or as a phrase of characters of a script without spaces. */
export interface QueryTerm {
  /** Term as queried in the word index. */
  readonly match: string
  /** Term as it occurs in a folded text. */
  readonly folded: string
  /** Weight besides its rarity. */
  readonly weight: number
}

const MOST_TERMS = 32
/** Scripts written without spaces: two adjacent characters form a term. */
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
 * Returns the terms of a text in a script without spaces: each two adjacent characters, or the only
 * one.
 */
const bigrams = (characters: readonly string[]): QueryTerm[] =>
  characters.length === 1
    ? [phraseTerm(characters)]
    : characters.slice(1).map((second, place) => phraseTerm([characters[place]!, second]))

/**
 * Returns the distinct terms of a text; includes words without a subject only if there are no
 * others.
 */
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

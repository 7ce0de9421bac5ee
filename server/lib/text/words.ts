/** Scripts written without spaces between words; each of their characters is a separate word. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`
const UNSPACED_CHARACTER = new RegExp(UNSPACED, 'gu')
const WORD = new RegExp(`${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])+`, 'gu')

/** Word with its position in the text. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Yields the words of a text as the index defines them. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD))
    yield { text: match[0], start: match.index, end: match.index + match[0].length }
}

/** Removes case and accents, which are ignored in comparisons. */
export const foldWord = (word: string): string =>
  word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Returns the text in the form in which it is indexed: characters of unspaced scripts are
 * separated, so that any sequence of them can be found as a phrase.
 */
export const toIndexText = (text: string): string => text.replace(UNSPACED_CHARACTER, ' $& ')

/**
 * Returns the single index word that represents a user; whatever characters the id contains, it
 * remains one word.
 */
export const toOwnerWord = (userId: string): string =>
  `u${Buffer.from(userId, 'utf8').toString('hex')}`

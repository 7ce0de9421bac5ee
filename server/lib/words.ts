/** Scripts written without spaces between words; each of their characters is a word of its own. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`
const UNSPACED_CHARACTER = new RegExp(UNSPACED, 'gu')
const WORD = new RegExp(`${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])+`, 'gu')

/** A word with its place in the text. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The words of a text as the index sees them, found as they are asked for. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD))
    yield { text: match[0], start: match.index, end: match.index + match[0].length }
}

/** Case and accents do not count in a comparison. */
export const foldWord = (word: string): string =>
  word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * The text as it goes into the index: unspaced scripts are set apart, so that any stretch of them
 * can be found as a phrase.
 */
export const toIndexText = (text: string): string => text.replace(UNSPACED_CHARACTER, ' $& ')

/**
 * The one word of the index that stands for a user; whatever the id is made of, it stays a single
 * word of its own.
 */
export const toOwnerWord = (userId: string): string =>
  `u${Buffer.from(userId, 'utf8').toString('hex')}`

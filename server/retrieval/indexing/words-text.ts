import { toIndexText } from '../../lib/text/words.ts'

/** Range that may contain scripts without spaces; no letter before it belongs to one. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/

/** Converts a text to the form stored in the word index. */
export const wordsText = (text: string): string =>
  MAY_BE_UNSPACED.test(text) ? toIndexText(text) : text

/** Returns the additional search text of a passage: its headings, and the preface it depends on. */
export const headingText = (name: string, heading: readonly string[], preface: string): string =>
  wordsText([name, ...heading, preface].join('\n'))

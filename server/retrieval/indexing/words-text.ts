import { toIndexText } from '../../lib/words.ts'

/** No letter before these is of a script without spaces. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/

/** A text as it goes into the index of words. */
export const wordsText = (text: string): string =>
  MAY_BE_UNSPACED.test(text) ? toIndexText(text) : text

/** What a passage is also found by: where it stands, and what it cannot be read without. */
export const headingText = (name: string, heading: readonly string[], preface: string): string =>
  wordsText([name, ...heading, preface].join('\n'))

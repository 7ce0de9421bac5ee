import { splitText } from './split-text.ts'

/** `[1]`, `[2, 3]` and `[1][2]`; not a footnote, and not a place in a list such as `items[1]`. */
const MARK = /(?<![\w\]])\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]|(?<=\[\d{1,3}\])\[(\d{1,3})\]/g

/**
 * Makes the numbers in brackets that may name a source elements of their own; what they mean is
 * found out where they are drawn.
 */
export const markCitations = splitText(MARK, (match) => ({
  tagName: 'cite',
  properties: { numbers: match[1] ?? match[2]! },
  text: match[0],
}))

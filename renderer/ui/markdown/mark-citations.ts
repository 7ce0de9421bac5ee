import { splitText } from './split-text.ts'

/**
 * Matches `[1]`, `[2, 3]` and `[1][2]` with the space before; not a footnote, and not an array
 * index such as `items[1]`.
 */
const MARK = / ?(?<![\w\]])\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]|(?<=\[\d{1,3}\])\[(\d{1,3})\]/g

/**
 * Turns bracketed numbers that may cite a source into separate elements; they are resolved when
 * rendered.
 */
export const markCitations = splitText(MARK, (match) => ({
  tagName: 'cite',
  properties: { numbers: match[1] ?? match[2]! },
  text: match[0],
}))

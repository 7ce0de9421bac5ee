const LONGEST_TITLE = 80
const LONGEST_LINE = 1000

/** Returns the beginning of a text with every run of whitespace replaced by one space. */
export const toOneLine = (text: string): string =>
  text.slice(0, LONGEST_LINE).replace(/\s+/g, ' ').trim()

/**
 * Returns the beginning of a text as a title of one line, cut between words where it has any; empty
 * for a text without letters.
 */
export function cutTitle(text: string): string {
  const line = toOneLine(text)
  const characters = Array.from(line)
  if (characters.length <= LONGEST_TITLE) return line
  const start = characters.slice(0, LONGEST_TITLE).join('')
  const end = start.lastIndexOf(' ')
  return `${end > start.length / 2 ? start.slice(0, end) : characters.slice(0, LONGEST_TITLE - 1).join('')}…`
}

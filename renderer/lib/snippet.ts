/** A part of an excerpt. */
export interface SnippetPart {
  readonly text: string
  readonly match: boolean
}

/** Markdown syntax that is removed from an excerpt. */
const MARKUP = /\*\*|~~|`+|^#+\s/gm
/** Marks at the beginning of a line: points, numbers of tasks, quotations. */
const LINE_MARKS = /^[ \t]*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|>\s?)/gm

/** The line below the head of a table, whole or cut off, and the bars between its cells. */
const TABLE_RULE = /^[ \t]*\|[ \t]*:?-[-|: \t]*$\n?/gm
const TABLE_ROW = /^[ \t]*\|.*$/gm

/** Returns a Markdown text with the cells of its tables separated by commas instead of bars. */
const withoutBars = (markdown: string): string =>
  markdown.replace(TABLE_RULE, '').replace(TABLE_ROW, (row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(', '),
  )

/** Returns the words of a Markdown text on one line, as an excerpt shows them. */
export const toPlainLine = (markdown: string): string =>
  withoutBars(markdown)
    .replace(LINE_MARKS, '')
    .replace(MARKUP, '')
    .replaceAll(/\s*\n\s*/g, ' · ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Splits an excerpt at the markers the gateway puts around matches (U+E000 … U+E001). */
export function splitSnippet(snippet: string): readonly SnippetPart[] {
  return withoutBars(snippet)
    .replace(MARKUP, '')
    .split(/(\uE000[^\uE001]*\uE001?)/)
    .map((text) => ({
      text: text.replace(/[\uE000\uE001]/g, ''),
      match: text.startsWith('\uE000'),
    }))
    .filter((part) => part.text)
}

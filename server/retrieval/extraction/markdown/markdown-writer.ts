import type { TextSink } from '../text-sink.ts'

/** Writes the parts of a structured document as Markdown, with one empty line between blocks. */
export interface MarkdownWriter {
  page(label: string | null): void
  heading(level: number, text: string): void
  paragraph(text: string): void
  /** `depth` counts from 0. */
  listItem(depth: number, marker: string, text: string): void
  quote(text: string): void
  code(text: string, language: string): void
  /** One row of the current table; the first one becomes its header. */
  row(cells: readonly string[]): void
  /** Ends the current table, so that the next row begins another one. */
  endTable(): void
}

const DEEPEST_LIST = 8
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const cell = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`)

/** Backticks for a fence that the text cannot close. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  return '`'.repeat(longest + 1)
}

export function createMarkdownWriter(
  sink: Pick<TextSink, 'write' | 'length' | 'beginPage'>,
): MarkdownWriter {
  let last: 'none' | 'block' | 'item' | 'row' = 'none'
  let columns = 0

  function begin(kind: 'block' | 'item' | 'row'): void {
    if (last !== 'none') sink.write(kind !== 'block' && kind === last ? '\n' : '\n\n')
    last = kind
  }

  function block(text: string): void {
    begin('block')
    sink.write(text)
  }

  return {
    page(label) {
      if (sink.length() > 0) sink.write('\n\n')
      sink.beginPage(label)
      last = 'none'
      columns = 0
    },
    heading(level, text) {
      const title = oneLine(text)
      if (title !== '') block(`${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${title}`)
    },
    paragraph(text) {
      const trimmed = text.trim()
      if (trimmed !== '') block(trimmed)
    },
    listItem(depth, marker, text) {
      const trimmed = text.trim()
      if (trimmed === '') return
      begin('item')
      const indent = '  '.repeat(Math.min(depth, DEEPEST_LIST))
      sink.write(`${indent}${marker} ${trimmed.replaceAll('\n', `\n${indent}  `)}`)
    },
    quote(text) {
      const trimmed = text.trim()
      if (trimmed !== '') block(`> ${trimmed.replaceAll('\n', '\n> ')}`)
    },
    code(text, language) {
      const fence = fenceFor(text)
      if (text.trim() !== '')
        block(`${fence}${language}\n${text.replace(/^\n+|\s+$/g, '')}\n${fence}`)
    },
    row(cells) {
      begin('row')
      const padded =
        cells.length < columns
          ? [...cells, ...Array<string>(columns - cells.length).fill('')]
          : cells
      sink.write(`| ${padded.map(cell).join(' | ')} |`)
      if (columns > 0) return
      columns = Math.max(cells.length, 1)
      sink.write(`\n|${' --- |'.repeat(columns)}`)
    },
    endTable() {
      columns = 0
      if (last === 'row') last = 'block'
    },
  }
}

import type { TextSink } from '../text-sink.ts'

const DEEPEST_LIST = 8
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const cell = (text: string): string => oneLine(text).replaceAll('|', String.raw`\|`)

/** Returns a fence of backticks that the text cannot close. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  return '`'.repeat(longest + 1)
}

/** Writes the parts of a structured document as Markdown, with one empty line between blocks. */
export class MarkdownWriter {
  readonly #sink: Pick<TextSink, 'write' | 'length' | 'beginPage'>
  #last: 'none' | 'block' | 'item' | 'row' = 'none'
  #columns = 0

  constructor(sink: Pick<TextSink, 'write' | 'length' | 'beginPage'>) {
    this.#sink = sink
  }

  page(label: string | null): void {
    if (this.#sink.length() > 0) this.#sink.write('\n\n')
    this.#sink.beginPage(label)
    this.#last = 'none'
    this.#columns = 0
  }

  heading(level: number, text: string): void {
    const title = oneLine(text)
    if (title !== '') this.#block(`${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${title}`)
  }

  paragraph(text: string): void {
    const trimmed = text.trim()
    if (trimmed !== '') this.#block(trimmed)
  }

  /** `depth` counts from 0. */
  listItem(depth: number, marker: string, text: string): void {
    const trimmed = text.trim()
    if (trimmed === '') return
    this.#begin('item')
    const indent = '  '.repeat(Math.min(depth, DEEPEST_LIST))
    this.#sink.write(`${indent}${marker} ${trimmed.replaceAll('\n', `\n${indent}  `)}`)
  }

  quote(text: string): void {
    const trimmed = text.trim()
    if (trimmed !== '') this.#block(`> ${trimmed.replaceAll('\n', '\n> ')}`)
  }

  code(text: string, language: string): void {
    const fence = fenceFor(text)
    if (text.trim() !== '')
      this.#block(`${fence}${language}\n${text.replace(/^\n+|\s+$/g, '')}\n${fence}`)
  }

  /** Writes one row of the current table; the first one becomes its header. */
  row(cells: readonly string[]): void {
    this.#begin('row')
    const padded =
      cells.length < this.#columns
        ? [...cells, ...Array<string>(this.#columns - cells.length).fill('')]
        : cells
    this.#sink.write(`| ${padded.map(cell).join(' | ')} |`)
    if (this.#columns > 0) return
    this.#columns = Math.max(cells.length, 1)
    this.#sink.write(`\n|${' --- |'.repeat(this.#columns)}`)
  }

  /** Ends the current table, so that the next row starts another one. */
  endTable(): void {
    this.#columns = 0
    if (this.#last === 'row') this.#last = 'block'
  }

  #begin(kind: 'block' | 'item' | 'row'): void {
    if (this.#last !== 'none')
      this.#sink.write(kind !== 'block' && kind === this.#last ? '\n' : '\n\n')
    this.#last = kind
  }

  #block(text: string): void {
    this.#begin('block')
    this.#sink.write(text)
  }
}

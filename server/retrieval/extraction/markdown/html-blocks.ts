import type { MarkdownWriter } from './markdown-writer.ts'

type HtmlAttributes = Readonly<Record<string, string>>

/** Collects the text of the current block of an HTML page and writes it when the block ends. */
export interface HtmlBlocks {
  open(name: string, attributes: HtmlAttributes): void
  close(name: string): void
  /** Ends the open block. */
  end(): void
  /** Current text of the block; link handlers shorten and extend it. */
  line: string
  isPreformatted(): boolean
  /** Language of the open preformatted block. */
  language: string
}

const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const HEADING = /^h([1-6])$/
/** A cell with more text than this is used for layout rather than for a value. */
const LONGEST_CELL = 2_000

export const isBlock = (name: string): boolean => BLOCKS.has(name)

interface ListState {
  readonly isNumbered: boolean
  count: number
}

/** Open lists, and the marker of the next item. */
class Lists {
  readonly #lists: ListState[] = []
  #marker = ''

  depth() {
    return this.#lists.length
  }

  open(isNumbered: boolean, start: number) {
    this.#lists.push({ isNumbered, count: start - 1 })
  }

  close() {
    this.#lists.pop()
  }

  openItem() {
    const list = this.#lists.at(-1)
    if (list) list.count += 1
    this.#marker = list?.isNumbered ? `${list.count}.` : '-'
  }

  /** Only the first block of an item has the marker. */
  takeMarker() {
    const taken = this.#marker
    this.#marker = ''
    return taken
  }
}

/** The outermost table; inner ones become text of its cells. */
class Table {
  readonly #writer: MarkdownWriter
  #depth = 0
  #cells: string[] | null = null

  constructor(writer: MarkdownWriter) {
    this.#writer = writer
  }

  /** Takes the text if a cell is open. */
  take(text: string): boolean {
    if (!this.#cells) return false
    this.#cells[Math.max(this.#cells.length - 1, 0)] =
      `${this.#cells.at(-1) ?? ''}\n${text.trim()}`.trim()
    return true
  }

  open(name: string) {
    if (name === 'table') this.#depth += 1
    if (this.#depth !== 1) return
    if (name === 'tr') {
      this.#endRow()
      this.#cells = []
    } else if (name === 'td' || name === 'th') (this.#cells ??= []).push('')
  }

  close(name: string) {
    if (this.#depth === 1 && (name === 'tr' || name === 'table')) this.#endRow()
    if (name !== 'table') return
    this.#depth = Math.max(0, this.#depth - 1)
    if (this.#depth === 0) this.#writer.endTable()
  }

  #endRow(): void {
    const row = this.#cells ?? []
    this.#cells = null
    const filled = row.filter((cell) => cell !== '')
    if (filled.length === 0) return
    const isLayout = row.length < 2 || filled.some((cell) => cell.length > LONGEST_CELL)
    if (!isLayout) return this.#writer.row(row)
    this.#writer.endTable()
    for (const cell of filled) this.#writer.paragraph(cell)
  }
}

const tidy = (text: string): string => text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n ?/g, '\n')

export function createHtmlBlocks(writer: MarkdownWriter): HtmlBlocks {
  const lists = new Lists()
  const table = new Table(writer)
  let heading = 0
  let preformatted = 0
  let quotes = 0

  function writeBlock(text: string): void {
    if (preformatted > 0) writer.code(text, blocks.language)
    else if (heading > 0) writer.heading(heading, text)
    else if (lists.depth() > 0) {
      const marker = lists.takeMarker()
      writer.listItem(marker === '' ? lists.depth() : lists.depth() - 1, marker, text)
    } else if (quotes > 0) writer.quote(text)
    else writer.paragraph(text)
  }

  const blocks: HtmlBlocks = {
    line: '',
    language: '',
    isPreformatted: () => preformatted > 0,
    end() {
      const text = preformatted > 0 ? blocks.line : tidy(blocks.line)
      blocks.line = ''
      if (text.trim() !== '' && !table.take(text)) writeBlock(text)
    },
    open(name, attributes) {
      blocks.end()
      const level = HEADING.exec(name)
      if (level) heading = Number(level[1])
      else if (name === 'ul' || name === 'ol')
        lists.open(name === 'ol', Number(attributes['start']) || 1)
      else if (name === 'li') lists.openItem()
      else if (name === 'blockquote') quotes += 1
      else if (name === 'pre') {
        preformatted += 1
        blocks.language = ''
      } else table.open(name)
    },
    close(name) {
      blocks.end()
      if (HEADING.test(name)) heading = 0
      else if (name === 'ul' || name === 'ol') lists.close()
      else if (name === 'blockquote') quotes = Math.max(0, quotes - 1)
      else if (name === 'pre') preformatted = Math.max(0, preformatted - 1)
      else table.close(name)
    },
  }
  return blocks
}

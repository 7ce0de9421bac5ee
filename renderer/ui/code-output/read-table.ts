export interface TableCell {
  readonly text: string
  readonly isHead: boolean
  readonly span: number
}

export interface ReadTable {
  readonly rows: readonly (readonly TableCell[])[]
  /** True if the table was truncated. */
  readonly isCut: boolean
}

const MOST_ROWS = 200
const MOST_COLUMNS = 60
const LONGEST_TEXT = 500

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
  }),
)

const toLetter = (code: number): string =>
  code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''

const decode = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return toLetter(Number(decimal))
      if (hex !== undefined) return toLetter(Number.parseInt(hex, 16))
      return ENTITIES.get(name ?? '') ?? whole
    },
  )

const readSpan = (attributes: string): number =>
  Math.min(MOST_COLUMNS, Math.max(1, Number(/\bcolspan="?(\d{1,3})/i.exec(attributes)?.[1] ?? 1)))

class TableReader {
  readonly #rows: TableCell[][] = []
  #row: TableCell[] | null = null
  #cell: { text: string; isHead: boolean; span: number } | null = null
  #isMuted = false
  #isOver = false
  #isCut = false

  text(text: string): void {
    if (this.#cell && !this.#isMuted) this.#cell.text += text
  }

  tag(name: string, isEnd: boolean, attributes: string): void {
    if (name === 'style' || name === 'script') this.#isMuted = !isEnd
    else if (this.#isOver) return
    else if (name === 'td' || name === 'th') {
      this.#endCell()
      if (!isEnd) this.#cell = { text: '', isHead: name === 'th', span: readSpan(attributes) }
    } else if (name === 'tr') {
      this.#endRow()
      if (!isEnd) this.#row = []
    } else if (name === 'table' && isEnd) {
      this.#endRow()
      this.#isOver = this.#rows.length > 0
    }
  }

  end(): ReadTable | null {
    this.#endRow()
    return this.#rows.length === 0 ? null : { rows: this.#rows, isCut: this.#isCut }
  }

  #endCell(): void {
    if (!this.#cell || !this.#row) return
    const { text, ...cell } = this.#cell
    this.#cell = null
    if (this.#row.length >= MOST_COLUMNS) this.#isCut = true
    else this.#row.push({ ...cell, text: decode(text).trim().slice(0, LONGEST_TEXT) })
  }

  #endRow(): void {
    this.#endCell()
    if (this.#row && this.#row.length > 0) {
      if (this.#rows.length >= MOST_ROWS) this.#isCut = true
      else this.#rows.push(this.#row)
    }
    this.#row = null
  }
}

/**
 * Returns the first HTML table produced by code, as rows of text; null if there is none. None of
 * the HTML itself is kept, so the result cannot execute, load or link to anything.
 */
export function readTable(html: string): ReadTable | null {
  const reader = new TableReader()
  let place = 0
  while (place < html.length) {
    const start = html.indexOf('<', place)
    const end = start === -1 ? -1 : html.indexOf('>', start)
    reader.text(html.slice(place, end === -1 ? html.length : start))
    if (end === -1) break
    const [, slash, name, attributes] =
      /^(\/?)([a-z][a-z0-9]*)(.*)$/is.exec(html.slice(start + 1, end)) ?? []
    if (name !== undefined) reader.tag(name.toLowerCase(), slash === '/', attributes ?? '')
    place = end + 1
  }
  return reader.end()
}

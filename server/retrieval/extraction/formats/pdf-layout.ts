/** A piece of text at its position on the page; `y` grows upwards. */
export interface PlacedText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Piece {
  text: string
  readonly x: number
  end: number
}

interface Line {
  readonly pieces: Piece[]
  readonly x: number
  readonly y: number
  height: number
}

/** Minimum gaps, in text heights, between separate words, and between certainly separate cells. */
const WORD_GAP = 0.15
const CELL_GAP = 1
const SAME_LINE = 0.5
const PARAGRAPH_GAP = 1.75
/** Maximum distances between the starts of two cells in one column. */
const SAME_COLUMN = 0.6
const NEAR_COLUMN = 0.9

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u

function isOnLine(line: Line, item: PlacedText): boolean {
  const height = Math.max(line.height, item.height, 1)
  return Math.abs(line.y - item.y) < height * SAME_LINE && item.x >= line.x - height
}

function append(line: Line, item: PlacedText): void {
  const last = line.pieces.at(-1)!
  const height = Math.max(item.height, line.height, 1)
  if (item.x - last.end > height * WORD_GAP)
    line.pieces.push({ text: item.text, x: item.x, end: item.x + item.width })
  else {
    last.text += item.text
    last.end = Math.max(last.end, item.x + item.width)
  }
  line.height = Math.max(line.height, item.height)
}

/** Joins pieces to lines in drawing order, which keeps columns of a newspaper separate. */
function toLines(items: readonly PlacedText[]): Line[] {
  const lines: Line[] = []
  for (const item of items) {
    // Blanks between pieces have their own position; gaps convey the same.
    if (item.text.trim() === '') continue
    const line = lines.at(-1)
    if (line && isOnLine(line, item)) append(line, item)
    else
      lines.push({
        pieces: [{ text: item.text, x: item.x, end: item.x + item.width }],
        x: item.x,
        y: item.y,
        height: item.height,
      })
  }
  return lines
}

const hasCells = ({ pieces, height }: Line): boolean =>
  pieces.some(
    (piece, index) =>
      index > 0 && piece.x - pieces[index - 1]!.end > Math.max(height, 1) * CELL_GAP,
  )

/** Returns the starts of pieces after a wide gap, in any line of the table. */
function findColumns(lines: readonly Line[]): number[] {
  const columns: number[] = []
  for (const { pieces, height } of lines)
    for (const [index, piece] of pieces.entries()) {
      const isCell =
        index === 0 || piece.x - pieces[index - 1]!.end > Math.max(height, 1) * CELL_GAP
      if (isCell && !columns.some((column) => Math.abs(column - piece.x) < height * SAME_COLUMN))
        columns.push(piece.x)
    }
  return columns
}

function joinPieces(before: string, piece: string): string {
  if (before === '' || /\s$/.test(before) || /^\s/.test(piece)) return before + piece
  return SPACELESS.test(before) ? before + piece : `${before} ${piece}`
}

/**
 * A piece may extend past the start of a column if its cells are close together; then a blank near
 * it is the border.
 */
function divide(piece: Piece, columns: readonly number[], height: number): Piece[] {
  const width = (piece.end - piece.x) / Math.max(piece.text.length, 1)
  const blanks = [...piece.text.matchAll(/\s+/g)].map(({ index, 0: blank }) => ({
    index,
    after: index + blank.length,
  }))
  const parts: Piece[] = []
  let from = 0
  for (const { index, after } of blanks) {
    const at = piece.x + after * width
    if (!columns.some((column) => Math.abs(column - at) < height * NEAR_COLUMN)) continue
    parts.push({
      text: piece.text.slice(from, index),
      x: piece.x + from * width,
      end: piece.x + index * width,
    })
    from = after
  }
  return [...parts, { text: piece.text.slice(from), x: piece.x + from * width, end: piece.end }]
}

/**
 * Splits a line into cells: pieces after a wide gap, or at the start of a column found in other
 * lines.
 */
function toCells({ pieces, height }: Line, columns: readonly number[]): string[] {
  const cells: string[] = []
  pieces.forEach((piece, index) => {
    const isBehindGap =
      index === 0 || piece.x - pieces[index - 1]!.end > Math.max(height, 1) * CELL_GAP
    const isAtColumn = columns.some((column) => Math.abs(column - piece.x) < height * SAME_COLUMN)
    if (isBehindGap || isAtColumn)
      cells.push(...divide(piece, columns, height).map((part) => part.text))
    else cells[cells.length - 1] = joinPieces(cells.at(-1)!, piece.text)
  })
  return cells
}

/**
 * Finds tables: at least two lines with cells, including lines between them with a piece at the
 * same columns.
 */
function findTables(
  lines: readonly Line[],
): Map<number, { readonly end: number; readonly columns: readonly number[] }> {
  const tables = new Map<number, { end: number; columns: number[] }>()
  for (let start = 0; start < lines.length; start += 1) {
    let end = start
    while (end < lines.length && hasCells(lines[end]!)) end += 1
    if (end - start < 2) continue
    const columns = findColumns(lines.slice(start, end))
    // The first or last row may be narrow enough to look like words.
    const fits = (line: Line | undefined): boolean =>
      line !== undefined &&
      line.pieces.length > 1 &&
      toCells(line, columns).length >= Math.min(columns.length, 2)
    if (start > 0 && !tables.has(start) && fits(lines[start - 1])) start -= 1
    while (fits(lines[end])) end += 1
    tables.set(start, { end, columns: findColumns(lines.slice(start, end)) })
    start = end - 1
  }
  return tables
}

const toRow = (cells: readonly string[]): string =>
  `| ${cells.map((text) => text.trim().replaceAll('|', String.raw`\|`)).join(' | ')} |`

function writeTable(lines: readonly Line[], columns: readonly number[]): string {
  const rows = lines.map((line) => toCells(line, columns))
  const width = Math.max(...rows.map((row) => row.length))
  const [head, ...body] = rows.map((row) =>
    toRow([...row, ...Array<string>(width - row.length).fill('')]),
  )
  return [head, `|${' --- |'.repeat(width)}`, ...body].join('\n')
}

const HYPHEN_AT_END = /\p{Ll}[-\u2010]$/u
const SMALL_AT_START = /^\p{Ll}/u

/** Joins a word that was hyphenated at the end of a line. */
function joinLines(before: string, after: string): string {
  const isDivided =
    before.endsWith('\u00ad') || (HYPHEN_AT_END.test(before) && SMALL_AT_START.test(after))
  return isDivided ? before.slice(0, -1) + after : `${before}\n${after}`
}

/**
 * Returns the text of a page in reading order, with tables as Markdown and hyphenated words joined.
 */
export function layOutPage(items: readonly PlacedText[]): string {
  const lines = toLines(items)
  const tables = findTables(lines)
  let text = ''
  let previous: Line | null = null
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!
    const table = tables.get(index)
    if (table) {
      text += `${text === '' ? '' : '\n\n'}${writeTable(lines.slice(index, table.end), table.columns)}`
      index = table.end - 1
      previous = null
      continue
    }
    const content = line.pieces.reduce((joined, piece) => joinPieces(joined, piece.text), '').trim()
    const gap = previous ? Math.abs(previous.y - line.y) : Infinity
    const isApart = gap > Math.max(line.height, previous?.height ?? 0, 1) * PARAGRAPH_GAP
    text = text === '' ? content : isApart ? `${text}\n\n${content}` : joinLines(text, content)
    previous = line
  }
  return text
}

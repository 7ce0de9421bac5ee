/** A piece of text where it stands on the page; `y` grows upwards. */
export interface PlacedText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly endsLine: boolean
}

interface Line {
  cells: string[]
  /** Where each cell begins. */
  starts: number[]
  x: number
  y: number
  end: number
  height: number
}

/** In heights of the text: a gap from which words are apart, and one from which they are columns of a table. */
const WORD_GAP = 0.15
const COLUMN_GAP = 1
const SAME_LINE = 0.5
const PARAGRAPH_GAP = 1.75

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u

function isOnLine(line: Line, item: PlacedText): boolean {
  const height = Math.max(line.height, item.height, 1)
  return Math.abs(line.y - item.y) < height * SAME_LINE && item.x >= line.x - height
}

function append(line: Line, item: PlacedText): void {
  const height = Math.max(item.height, line.height, 1)
  const gap = item.x - line.end
  const last = line.cells.length - 1
  if (gap > height * COLUMN_GAP && line.cells[last]!.trim() !== '') {
    line.cells.push(item.text)
    line.starts.push(item.x)
  } else {
    const needsSpace = gap > height * WORD_GAP && !/\s$/.test(line.cells[last]!) && !/^\s/.test(item.text)
    const isSpaceless = SPACELESS.test(line.cells[last]!) && gap < height
    line.cells[last] += needsSpace && !isSpaceless ? ` ${item.text}` : item.text
  }
  line.end = Math.max(line.end, item.x + item.width)
  line.height = Math.max(line.height, item.height)
}

/** Lines in the order the file draws them, which keeps columns of a newspaper apart. */
function toLines(items: readonly PlacedText[]): Line[] {
  const lines: Line[] = []
  for (const item of items) {
    const line = lines.at(-1)
    // Blanks between pieces have a place of their own; gaps say the same.
    if (item.text.trim() === '') continue
    if (line && isOnLine(line, item)) append(line, item)
    else lines.push({ cells: [item.text], starts: [item.x], x: item.x, y: item.y, end: item.x + item.width, height: item.height })
  }
  return lines
}

/** Tables are drawn row by row or cell by cell; pieces at the height of an earlier line of the same table belong to it. */
function isTableRow(line: Line, next: Line | undefined, previous: Line | undefined): boolean {
  const alike = (other: Line | undefined): boolean =>
    other !== undefined &&
    other.cells.length > 1 &&
    other.starts.some((start, index) => index > 0 && line.starts.slice(1).some((own) => Math.abs(own - start) < line.height * 3))
  return line.cells.length > 1 && (alike(next) || alike(previous) || line.cells.length > 2)
}

const row = (cells: readonly string[]): string => `| ${cells.map((text) => text.trim().replaceAll('|', String.raw`\|`)).join(' | ')} |`

const HYPHEN_AT_END = /\p{Ll}[-\u00ad\u2010]$/u
const SMALL_AT_START = /^\p{Ll}/u

/** Joins a word that was divided at the end of a line. */
function joinLines(before: string, after: string): string {
  if (before.endsWith('\u00ad')) return before.slice(0, -1) + after
  if (HYPHEN_AT_END.test(before) && SMALL_AT_START.test(after)) return before.slice(0, -1) + after
  return `${before}\n${after}`
}

/** Text of a page in reading order, tables as rows of Markdown, divided words joined. */
export function layOutPage(items: readonly PlacedText[]): string {
  const lines = toLines(items)
  let text = ''
  let isInTable = false
  lines.forEach((line, index) => {
    const previous = lines[index - 1]
    const isRow = isTableRow(line, lines[index + 1], previous)
    const content = isRow ? row(line.cells) : line.cells.join('  ').trim()
    if (isRow) {
      const separator = isInTable ? '' : `\n|${' --- |'.repeat(line.cells.length)}`
      text += `${text === '' ? '' : isInTable ? '\n' : '\n\n'}${content}${separator}`
    } else if (text === '') text = content
    else {
      const gap = previous ? Math.abs(previous.y - line.y) : 0
      const isApart = isInTable || gap > Math.max(line.height, previous?.height ?? 0, 1) * PARAGRAPH_GAP
      text = isApart ? `${text}\n\n${content}` : joinLines(text, content)
    }
    isInTable = isRow
  })
  return text
}

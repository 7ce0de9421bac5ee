import { readText } from '../decode-text.ts'
import { createMarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'

const LONGEST_ROW = 4_000_000
const MOST_CELLS = 20_000
const LINES_LOOKED_AT = 20
const SEPARATORS = [',', ';', '\t', '|'] as const
const LARGEST_TABLE_MEBIBYTES = 256

/** The separator that occurs most evenly in the first lines. */
export function guessSeparator(start: string): string {
  const lines = start
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r?\n|\r/, LINES_LOOKED_AT)
    .filter((line) => line.trim() !== '')
  const evenness = (separator: string): number => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    return (
      Math.min(...counts) * 1_000 +
      counts.reduce((sum, count) => sum + count, 0) / (counts.length || 1)
    )
  }
  return SEPARATORS.reduce((best, separator) =>
    evenness(separator) > evenness(best) ? separator : best,
  )
}

/** Reads separated values piece by piece; quotes may hold separators and line ends. */
export function createRowParser(separator: string, onRow: (cells: readonly string[]) => void) {
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let mayBeEscape = false
  let rowLength = 0
  const special = new RegExp(`["\\n\\r${separator === '\t' ? '\\t' : `\\${separator}`}]`, 'g')

  function endCell(): void {
    cells.push(cell)
    cell = ''
    if (cells.length > MOST_CELLS)
      throw new Refusal('A row of the table has too many cells to be read.')
  }

  function endRow(): void {
    endCell()
    if (cells.some((text) => text.trim() !== '')) onRow(cells)
    cells = []
    rowLength = 0
  }

  function add(text: string): void {
    cell += text
    measure(text.length)
  }

  function measure(length: number): void {
    rowLength += length
    if (rowLength > LONGEST_ROW)
      throw new Refusal(
        'A row of the table is too long to be read. The file may not be a table at all.',
      )
  }

  function take(character: string): void {
    if (character === '"') {
      measure(1)
      // Two quotes within quotes are one.
      if (isQuoted) [isQuoted, mayBeEscape] = [false, true]
      else if (mayBeEscape) [isQuoted, cell] = [true, `${cell}"`]
      else if (cell.trim() === '') [isQuoted, cell] = [true, '']
      else add('"')
      return
    }
    if (isQuoted) add(character)
    else if (character === separator) endCell()
    else if (character === '\n') endRow()
  }

  return {
    write(text: string) {
      let last = 0
      for (const { index, 0: character } of text.matchAll(special)) {
        if (index > last) {
          add(text.slice(last, index))
          mayBeEscape = false
        }
        take(character)
        if (character !== '"') mayBeEscape = false
        last = index + 1
      }
      if (last < text.length) {
        add(text.slice(last))
        mayBeEscape = false
      }
    },
    end() {
      if (cell !== '' || cells.length > 0) endRow()
    },
  }
}

/** The file as one table of Markdown, in constant memory. */
export const readTable: Reader = async (file, { sink, progress }) => {
  if (file.size > LARGEST_TABLE_MEBIBYTES * 1024 * 1024)
    throw new Refusal(
      `Tables can be up to ${LARGEST_TABLE_MEBIBYTES} MB. Split this one into smaller files.`,
    )
  const writer = createMarkdownWriter(sink)
  let parser: ReturnType<typeof createRowParser> | null = null
  for await (const piece of readText(file.path, { onBytes: (read) => progress(read, file.size) })) {
    parser ??= createRowParser(guessSeparator(piece.slice(0, 20_000)), (cells) => writer.row(cells))
    parser.write(piece.replaceAll(/\r\n?/g, '\n'))
    await sink.flush()
  }
  parser?.end()
  return { format: 'table' }
}

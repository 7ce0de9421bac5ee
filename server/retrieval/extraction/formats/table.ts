import { readText } from '../decode-text.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'

const LONGEST_ROW = 4_000_000
const MOST_CELLS = 20_000
const LINES_LOOKED_AT = 20
const SEPARATORS = [',', ';', '\t', '|'] as const
const LARGEST_TABLE_MEBIBYTES = 256

/** Returns the separator that occurs most evenly in the first lines. */
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

/** Parses separated values chunk by chunk; quotes may contain separators and line ends. */
export class RowParser {
  readonly #separator: string
  readonly #onRow: (cells: readonly string[]) => void
  #cells: string[] = []
  #cell = ''
  #isQuoted = false
  #mayBeEscape = false
  #rowLength = 0
  readonly #special

  constructor(separator: string, onRow: (cells: readonly string[]) => void) {
    this.#separator = separator
    this.#onRow = onRow
    this.#special = new RegExp(`["\\n\\r${separator === '\t' ? '\\t' : `\\${separator}`}]`, 'g')
  }

  write(text: string) {
    let last = 0
    for (const { index, 0: character } of text.matchAll(this.#special)) {
      if (index > last) {
        this.#add(text.slice(last, index))
        this.#mayBeEscape = false
      }
      this.#take(character)
      if (character !== '"') this.#mayBeEscape = false
      last = index + 1
    }
    if (last < text.length) {
      this.#add(text.slice(last))
      this.#mayBeEscape = false
    }
  }

  end() {
    if (this.#cell !== '' || this.#cells.length > 0) this.#endRow()
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    if (this.#cells.length > MOST_CELLS)
      throw new Refusal('A row of the table has too many cells to be read.')
  }

  #endRow(): void {
    this.#endCell()
    if (this.#cells.some((text) => text.trim() !== '')) this.#onRow(this.#cells)
    this.#cells = []
    this.#rowLength = 0
  }

  #add(text: string): void {
    this.#cell += text
    this.#measure(text.length)
  }

  #measure(length: number): void {
    this.#rowLength += length
    if (this.#rowLength > LONGEST_ROW)
      throw new Refusal(
        'A row of the table is too long to be read. The file may not be a table at all.',
      )
  }

  #take(character: string): void {
    if (character === '"') {
      this.#measure(1)
      // Two quotes within quotes are an escaped quote.
      if (this.#isQuoted) [this.#isQuoted, this.#mayBeEscape] = [false, true]
      else if (this.#mayBeEscape) [this.#isQuoted, this.#cell] = [true, `${this.#cell}"`]
      else if (this.#cell.trim() === '') [this.#isQuoted, this.#cell] = [true, '']
      else this.#add('"')
      return
    }
    if (this.#isQuoted) this.#add(character)
    else if (character === this.#separator) this.#endCell()
    else if (character === '\n') this.#endRow()
  }
}

/** Converts the file to one Markdown table, in constant memory. */
export const readTable: Reader = async (file, { sink, progress }) => {
  if (file.size > LARGEST_TABLE_MEBIBYTES * 1024 * 1024)
    throw new Refusal(
      `Tables can be up to ${LARGEST_TABLE_MEBIBYTES} MB. Split this one into smaller files.`,
    )
  const writer = new MarkdownWriter(sink)
  let parser: RowParser | null = null
  for await (const piece of readText(file.path, { onBytes: (read) => progress(read, file.size) })) {
    parser ??= new RowParser(guessSeparator(piece.slice(0, 20_000)), (cells) => writer.row(cells))
    parser.write(piece.replaceAll(/\r\n?/g, '\n'))
    await sink.flush()
  }
  parser?.end()
  return { format: 'table' }
}

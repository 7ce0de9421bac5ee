import type { MarkdownWriter } from '../markdown/markdown-writer.ts'

/** A filled cell; its column counts from 0. */
export interface SheetCell {
  readonly column: number
  readonly text: string
}

/** Number of rows that determine the columns of the table. */
const ROWS_LOOKED_AT = 60
/**
 * A row of a wide table with fewer cells than this share of it is written cell by cell, so that a
 * sparse sheet stays small.
 */
const SPARSE_SHARE = 0.25
const WIDE_COLUMNS = 24

/** Returns "A", "Z", "AA" for 0, 25, 26. */
export function columnName(column: number): string {
  let name = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** Returns 0 for "A7"; -1 if there are no letters. */
export function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    column = column * 26 + value
  }
  return column - 1
}

/** Writes the rows of a sheet as one table with the used columns. */
export class SheetWriter {
  readonly #writer: MarkdownWriter
  #held: { number: number; cells: readonly SheetCell[] }[] | null = []
  #columns: number[] = []
  #places = new Map<number, number>()

  constructor(writer: MarkdownWriter) {
    this.#writer = writer
  }

  /** `number` counts from 1. Skips rows without cells. */
  row(number: number, cells: readonly SheetCell[]): void {
    if (cells.length === 0) return
    if (!this.#held) return this.#write(number, cells)
    this.#held.push({ number, cells })
    if (this.#held.length >= ROWS_LOOKED_AT) this.#decideColumns()
  }

  end(): void {
    if (this.#held) this.#decideColumns()
    this.#writer.endTable()
  }

  #write(number: number, cells: readonly SheetCell[]): void {
    const named = ({ column, text }: SheetCell): string => `${columnName(column)}${number}: ${text}`
    if (this.#columns.length > WIDE_COLUMNS && cells.length < this.#columns.length * SPARSE_SHARE) {
      this.#writer.endTable()
      return this.#writer.paragraph(cells.map(named).join('; '))
    }
    const row = Array<string>(this.#columns.length).fill('')
    const outside: string[] = []
    for (const cell of cells) {
      const place = this.#places.get(cell.column)
      if (place === undefined) outside.push(named(cell))
      else row[place] = cell.text
    }
    this.#writer.row(outside.length > 0 ? [...row, outside.join('; ')] : row)
  }

  #decideColumns(): void {
    const rows = this.#held ?? []
    this.#held = null
    this.#columns = [
      ...new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.column))),
    ].toSorted((left, right) => left - right)
    this.#places = new Map(this.#columns.map((column, place) => [column, place]))
    for (const { number, cells } of rows) this.#write(number, cells)
  }
}

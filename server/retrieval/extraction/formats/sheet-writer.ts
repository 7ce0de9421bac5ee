import type { MarkdownWriter } from '../markdown/markdown-writer.ts'

/** One filled cell: its column counts from 0. */
export interface SheetCell {
  readonly column: number
  readonly text: string
}

/** Writes the rows of a sheet as one table whose columns are those in use. */
export interface SheetWriter {
  /** `number` counts from 1. Rows without cells are left out. */
  row(number: number, cells: readonly SheetCell[]): void
  end(): void
}

/** Rows that decide which columns the table has. */
const ROWS_LOOKED_AT = 60
/**
 * A row of a wide table with fewer cells than this share of it is written cell by cell, so that a
 * sparse sheet stays small.
 */
const SPARSE_SHARE = 0.25
const WIDE_COLUMNS = 24

/** "A", "Z", "AA" for 0, 25, 26. */
export function columnName(column: number): string {
  let name = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** 0 for "A7"; -1 when there are no letters. */
export function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    column = column * 26 + value
  }
  return column - 1
}

export function createSheetWriter(writer: MarkdownWriter): SheetWriter {
  let held: { number: number; cells: readonly SheetCell[] }[] | null = []
  let columns: number[] = []
  let places = new Map<number, number>()

  function write(number: number, cells: readonly SheetCell[]): void {
    const named = ({ column, text }: SheetCell): string => `${columnName(column)}${number}: ${text}`
    if (columns.length > WIDE_COLUMNS && cells.length < columns.length * SPARSE_SHARE) {
      writer.endTable()
      return writer.paragraph(cells.map(named).join('; '))
    }
    const row = Array<string>(columns.length).fill('')
    const outside: string[] = []
    for (const cell of cells) {
      const place = places.get(cell.column)
      if (place === undefined) outside.push(named(cell))
      else row[place] = cell.text
    }
    writer.row(outside.length > 0 ? [...row, outside.join('; ')] : row)
  }

  function decideColumns(): void {
    const rows = held ?? []
    held = null
    columns = [...new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.column)))].toSorted(
      (left, right) => left - right,
    )
    places = new Map(columns.map((column, place) => [column, place]))
    for (const { number, cells } of rows) write(number, cells)
  }

  return {
    row(number, cells) {
      if (cells.length === 0) return
      if (!held) return write(number, cells)
      held.push({ number, cells })
      if (held.length >= ROWS_LOOKED_AT) decideColumns()
    },
    end() {
      if (held) decideColumns()
      writer.endTable()
    },
  }
}

/** Returns the cell texts of a table, row by row. */
export const readTable = (table: HTMLTableElement): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))

/** Returns tab-separated text, for spreadsheets and documents. */
export const toTabbed = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')).join('\n')

/** First characters that spreadsheets interpret as the start of a formula. */
const FORMULA = /^[=+\-@]/
/** A sign before digits alone computes nothing. */
const NUMBER = /^[+-](?:\s*\d[\d\s.,:/]*(?:e[+-]?\d+)?\D?)?$/i

function toCell(cell: string): string {
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns comma-separated values according to RFC 4180; a spreadsheet runs none of them. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')

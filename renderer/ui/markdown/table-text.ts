/** What stands in the cells of a table, row by row. */
export const readTable = (table: HTMLTableElement): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))

/** For spreadsheets and documents that take cells apart by tabs. */
export const toTabbed = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')).join('\n')

const quoteCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Comma-separated values as RFC 4180 has them. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('')

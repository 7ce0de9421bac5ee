/** Returns the cell texts of a table, row by row. */
export const readTable = (table: HTMLTableElement): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))

/** Returns tab-separated text, for spreadsheets and documents. */
export const toTabbed = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t')).join('\n')

const quoteCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Returns comma-separated values according to RFC 4180. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('')

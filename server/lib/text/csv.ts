/** First characters that spreadsheets interpret as the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/

function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a row of comma-separated values, escaped so that a spreadsheet runs none of it. */
export const toCsvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`

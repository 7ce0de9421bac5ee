import type { OutgoingConnection } from '#contract/outgoing-connections.ts'

const COLUMNS = [
  'began_at',
  'ended_at',
  'host',
  'port',
  'address',
  'via',
  'purpose',
  'name',
  'bytes_sent',
  'bytes_received',
  'times',
  'outcome',
  'fault',
] as const satisfies readonly (keyof OutgoingConnection)[]
const MOMENTS = new Set<string>(['began_at', 'ended_at'])
/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const toLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const csvHead = toLine(COLUMNS)

export const toCsvLine = (entry: OutgoingConnection): string =>
  toLine(
    COLUMNS.map((column) => {
      const value = entry[column]
      return toCell(
        MOMENTS.has(column) && typeof value === 'number' ? new Date(value).toISOString() : value,
      )
    }),
  )

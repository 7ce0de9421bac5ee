import type { OutgoingConnection } from '#contract/outgoing-connections.ts'
import { toCsvLine as toLine } from '../lib/text/csv.ts'

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

export const csvHead = toLine(COLUMNS)

export const toCsvLine = (entry: OutgoingConnection): string =>
  toLine(
    COLUMNS.map((column) => {
      const value = entry[column]
      return MOMENTS.has(column) && typeof value === 'number'
        ? new Date(value).toISOString()
        : value
    }),
  )

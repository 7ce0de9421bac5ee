import type { Archive } from '../archive/open-archive.ts'
import { attribute, parseXml, type Attributes } from '../archive/parse-xml.ts'

/** Number formats of a workbook's cells, by the index of their style. */
export interface CellFormats {
  format(value: string, style: number): string
}

const nothing = (): void => undefined
/** Built-in formats that show a date, a time, or both. */
const DATE_FORMATS = new Set([
  14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])
const TIME_FORMATS = new Set([18, 19, 20, 21, 45, 46, 47])
const DATE_TIME_FORMATS = new Set([22])
const PERCENT_FORMATS = new Set([9, 10])
const MILLISECONDS_PER_DAY = 86_400_000
const LARGEST_SERIAL = 2_958_465

type Kind = 'plain' | 'date' | 'time' | 'moment' | 'percent'

function kindOf(id: number, code: string): Kind {
  if (DATE_FORMATS.has(id)) return 'date'
  if (TIME_FORMATS.has(id)) return 'time'
  if (DATE_TIME_FORMATS.has(id)) return 'moment'
  if (PERCENT_FORMATS.has(id)) return 'percent'
  // Text in quotes, brackets or after a backslash is literal text of the format.
  const bare = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '').toLowerCase()
  if (bare.includes('%')) return 'percent'
  const [hasDate, hasTime] = [/[yd]|mmm/.test(bare), /[hs]/.test(bare)]
  if (hasDate && hasTime) return 'moment'
  return hasDate ? 'date' : hasTime ? 'time' : 'plain'
}

function formatMoment(serial: number, kind: Kind, isFrom1904: boolean): string | null {
  if (serial < 0 || serial > LARGEST_SERIAL) return null
  const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const iso = new Date(epoch + Math.round(serial * MILLISECONDS_PER_DAY)).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)]
  return kind === 'date' ? date : kind === 'time' ? time : `${date} ${time}`
}

/** Numbers are stored with their binary rounding error: 0.1 + 0.2. */
const tidyNumber = (value: number): string => String(Number(value.toPrecision(15)))

function formatNumber(value: string, kind: Kind, isFrom1904: boolean): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  if (kind === 'percent') return `${tidyNumber(number * 100)}%`
  return (kind === 'plain' ? null : formatMoment(number, kind, isFrom1904)) ?? tidyNumber(number)
}

export async function readCellFormats(archive: Archive, isFrom1904: boolean): Promise<CellFormats> {
  const codes = new Map<number, string>()
  const kinds: Kind[] = []
  let isInCells = false
  const open = (name: string, attributes: Attributes): void => {
    const id = Number(attribute(attributes, 'numFmtId'))
    if (name === 'numFmt') codes.set(id, attribute(attributes, 'formatCode') ?? '')
    else if (name === 'cellXfs') isInCells = true
    else if (name === 'xf' && isInCells) kinds.push(kindOf(id, codes.get(id) ?? ''))
  }
  const close = (name: string): void => void (name === 'cellXfs' && (isInCells = false))
  await parseXml(archive.stream('xl/styles.xml'), { open, close, text: nothing })
  return { format: (value, style) => formatNumber(value, kinds[style] ?? 'plain', isFrom1904) }
}

import { badRequest } from '../errors.ts'

const DAY = 86_400_000
const UNITS = { MINUTELY: 60_000, HOURLY: 3_600_000, DAILY: DAY, WEEKLY: 7 * DAY }

/** Additional parts of a rule, by frequency. */
const EVERY = 'BYDAY BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYSETPOS BYHOUR BYMINUTE WKST'.split(' ')
/**
 * @NOTE For rules by hours or minutes that name an hour or minute that never occurs, the library
 *   searches forever.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  MINUTELY: ['BYDAY', 'WKST'],
  HOURLY: ['BYDAY', 'BYMINUTE', 'WKST'],
  DAILY: EVERY,
  WEEKLY: EVERY,
  MONTHLY: EVERY,
  YEARLY: EVERY,
}
const ALWAYS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL']
const MOST_COUNT = 1000
const MOST_INTERVAL = 100_000
const MOST_VALUES = 400

const TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/
const START = /^DTSTART(?:;VALUE=DATE(?:-TIME)?)?(?:;TZID=([^:;]+))?:(.+)$/i
const EXCLUDED = /^EXDATE(?:;VALUE=DATE(?:-TIME)?)?(?:;TZID=([^:;]+))?:(.+)$/i
const RULE = /^(?:RRULE:)?(FREQ=.+|.+;FREQ=.+)$/i

const WEEKDAY = /^(MO|TU|WE|TH|FR|SA|SU)$/
const NUMBERED_DAY = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/
const NUMBER = /^[+-]?\d{1,3}$/

/** Ranges of the numbers in each part; signed ones may also count from the end. */
const RANGES: Readonly<Record<string, { least: number; most: number; isSigned?: true }>> = {
  BYMONTH: { least: 1, most: 12 },
  BYMONTHDAY: { least: 1, most: 31, isSigned: true },
  BYYEARDAY: { least: 1, most: 366, isSigned: true },
  BYWEEKNO: { least: 1, most: 53, isSigned: true },
  BYSETPOS: { least: 1, most: 366, isSigned: true },
  BYHOUR: { least: 0, most: 23 },
  BYMINUTE: { least: 0, most: 59 },
}

export const badRule = (why: string) => badRequest(`Invalid RRULE: ${why}`)

/** Time in a rule: wall-clock time, represented as if it were UTC, or an instant. */
export interface RuleTime {
  readonly time: number
  readonly isUtc: boolean
}

/** An occurrence excluded from a rule; a whole day if no time of day is given. */
export interface ExcludedTime extends RuleTime {
  readonly zone: string | null
  readonly isDay: boolean
}

/** Rule in its original form, validated for the library. */
export interface ParsedRule {
  readonly start: RuleTime | null
  readonly zone: string | null
  readonly parts: ReadonlyMap<string, string>
  readonly frequency: string
  readonly interval: number
  readonly until: RuleTime | null
  readonly excluded: readonly ExcludedTime[]
  /** Milliseconds of one step; null for months and years. */
  readonly unit: number | null
}

function readTime(text: string): RuleTime {
  const found = TIME.exec(text)
  if (!found) throw badRule(`"${text.slice(0, 40)}" is not a time such as 20300101T090000.`)
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number?, number?, number?]
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const isReal =
    month <= 12 && new Date(time).getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!isReal || year < 1970 || year > 2999)
    throw badRule(`"${text.slice(0, 40)}" is not a time between 1970 and 2999.`)
  return { time, isUtc: found[7] === 'Z' }
}

/** Returns true if a value is valid in a part; the library does not validate values. */
function isValue(name: string, value: string): boolean {
  if (name === 'WKST') return WEEKDAY.test(value)
  if (name === 'BYDAY') {
    const found = NUMBERED_DAY.exec(value)
    const place = found?.[1] === undefined ? 1 : Math.abs(Number(found[1]))
    return found !== null && place >= 1 && place <= 53
  }
  const range = RANGES[name]
  if (!range) return true
  const number = NUMBER.test(value) ? Number(value) : Number.NaN
  const size = range.isSigned ? Math.abs(number) : number
  return size >= range.least && size <= range.most
}

function readParts(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.split(';').filter(Boolean)) {
    const [name = '', value = ''] = part.split('=')
    const key = name.trim().toUpperCase()
    if (value === '' || parts.has(key))
      throw badRule(`"${part.slice(0, 40)}" is not one of its parts.`)
    const values = value.trim().toUpperCase().split(',')
    if (values.length > MOST_VALUES) throw badRule(`${key} has too many values.`)
    if (!values.every((each) => isValue(key, each)))
      throw badRule(`"${part.slice(0, 40)}" has a value that cannot be.`)
    parts.set(key, value.trim().toUpperCase())
  }
  return parts
}

function readNumber(parts: ReadonlyMap<string, string>, name: string, most: number): number | null {
  const text = parts.get(name)
  if (text === undefined) return null
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw badRule(`${name} has to be between 1 and ${most}.`)
  return value
}

function readExcluded(lines: readonly RegExpExecArray[]): ExcludedTime[] {
  const excluded = lines.flatMap(([, zone = null, times = '']) =>
    times.split(',').map((time) => ({ time: time.trim().toUpperCase(), zone })),
  )
  if (excluded.length > MOST_VALUES)
    throw badRule(`EXDATE may name ${MOST_VALUES} times in all, which is a fixed limit.`)
  return excluded.map(({ time, zone }) => ({ ...readTime(time), zone, isDay: !time.includes('T') }))
}

/**
 * Parses a rule; throws 400 for an invalid one, or one that cannot be evaluated in a bounded time.
 */
export function readRule(text: string): ParsedRule {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  const rules = lines.filter((line) => RULE.test(line))
  const starts = lines.map((line) => START.exec(line)).filter((found) => found !== null)
  const excluded = lines.map((line) => EXCLUDED.exec(line)).filter((found) => found !== null)
  const known = rules.length + starts.length + excluded.length
  if (rules.length !== 1 || starts.length > 1 || known !== lines.length)
    throw badRule(
      'It is one line "RRULE:FREQ=…", with one "DTSTART:" in front of it at most, and lines "EXDATE:" of times that are left out.',
    )
  const parts = readParts(RULE.exec(rules[0]!)![1]!)
  const frequency = parts.get('FREQ') ?? ''
  const allowed = PARTS[frequency]
  if (!allowed) throw badRule('FREQ is one of MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY and YEARLY.')
  for (const name of parts.keys())
    if (!allowed.includes(name) && !ALWAYS.includes(name))
      throw badRule(`${name.slice(0, 40)} cannot be used with FREQ=${frequency}.`)
  readNumber(parts, 'COUNT', MOST_COUNT)
  const until = parts.get('UNTIL')
  const [start] = starts
  return {
    start: start ? readTime(start[2]!.toUpperCase()) : null,
    zone: start?.[1] ?? null,
    parts,
    frequency,
    interval: readNumber(parts, 'INTERVAL', MOST_INTERVAL) ?? 1,
    until: until === undefined ? null : readTime(until),
    excluded: readExcluded(excluded),
    unit: UNITS[frequency as keyof typeof UNITS] ?? null,
  }
}

/** Returns the rule with all of its occurrences, including the excluded ones. */
export const withoutExceptions = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => !/^\s*EXDATE/i.test(line))
    .join('\n')

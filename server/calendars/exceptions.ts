import { badRequest } from '../lib/errors.ts'
import { readRule } from '../lib/recurrence/read-rule.ts'
import { toWallTime } from '../lib/recurrence/wall-clock.ts'

const SECOND = 1000
const DAY = 86_400_000
const MOST_EXCEPTIONS = 400
const EXCLUDED = /^EXDATE/i
const START = /^DTSTART/i

const linesOf = (rule: string): string[] =>
  rule
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** Formats a wall-clock time as in rules. */
const toStamp = (wall: number): string =>
  new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

/** Changes the line of the rule itself and keeps its other lines. */
function changeRule(text: string, change: (parts: string[]) => string[]): string {
  return linesOf(text)
    .map((line) => {
      if (EXCLUDED.test(line) || START.test(line)) return line
      const [, head = '', parts = ''] = /^(RRULE:)?(.*)$/i.exec(line)!
      return `${head}${change(parts.split(';').filter(Boolean)).join(';')}`
    })
    .join('\n')
}

const isPart = (part: string, ...names: readonly string[]): boolean =>
  names.includes(part.split('=', 1)[0]!.trim().toUpperCase())

/** Returns the rule with one occurrence excluded. */
export function leaveOut(rule: string, at: number, zone: string): string {
  if (readRule(rule).excluded.length >= MOST_EXCEPTIONS)
    throw badRequest(
      `Of an event ${MOST_EXCEPTIONS} times may be left out, which is a fixed limit. Change this time and all later ones instead.`,
      { code: 'too_many_exceptions' },
    )
  return `${rule.trim()}\nEXDATE:${toStamp(toWallTime(at, zone))}`
}

/**
 * Returns the rule without the occurrences from this one on. If it has at most one occurrence a
 * day, it ends with the day before, as is customary.
 */
export function endBefore(rule: string, at: number, zone: string): string {
  const { frequency, parts } = readRule(rule)
  const isByDays =
    !['HOURLY', 'MINUTELY'].includes(frequency) && !parts.has('BYHOUR') && !parts.has('BYMINUTE')
  const midnight = Math.floor(toWallTime(at, zone) / DAY) * DAY
  const until = isByDays ? toStamp(midnight - SECOND) : `${toStamp(at - SECOND)}Z`
  return changeRule(rule, (before) => [
    ...before.filter((part) => !isPart(part, 'UNTIL', 'COUNT')),
    `UNTIL=${until}`,
  ])
}

/** Returns the rule for a series that starts after `before` of its occurrences. */
export function beginWith(rule: string, before: number): string {
  const text = linesOf(rule)
    .filter((line) => !START.test(line))
    .join('\n')
  return changeRule(text, (parts) =>
    parts.map((part) =>
      isPart(part, 'COUNT') ? `COUNT=${Math.max(1, Number(part.split('=')[1]) - before)}` : part,
    ),
  )
}

/** Returns true if two rules have the same lines, in any order. */
export const isSameRule = (one: string, other: string): boolean =>
  linesOf(one).toSorted().join('\n') === linesOf(other).toSorted().join('\n')

/** Distance by which a series is moved: on the wall clock of its time zone, and in elapsed time. */
export interface Move {
  readonly wall: number
  readonly elapsed: number
}

/** Returns the rule with its excluded times moved along with the others. */
export const moveExceptions = (rule: string, move: Move): string =>
  moveLines(rule, move, (line) => EXCLUDED.test(line))

/** Returns the rule with its start and its excluded times moved. */
export const moveRule = (rule: string, move: Move): string =>
  moveLines(rule, move, (line) => EXCLUDED.test(line) || START.test(line))

function moveLines(
  rule: string,
  { wall, elapsed }: Move,
  isMoved: (line: string) => boolean,
): string {
  const lines = linesOf(rule)
  if ((wall === 0 && elapsed === 0) || !lines.some(isMoved)) return rule
  const move = (line: string): string => {
    const hasZone = /^\w+[^:]*;TZID=/i.test(line)
    return line.replaceAll(/(?<=[:,]\s*)(\d{8}T\d{6})(Z?)/gi, (_, stamp: string, utc: string) => {
      const by = hasZone || utc !== '' ? elapsed : wall
      return toStamp(readStamp(stamp) + by) + utc
    })
  }
  return lines.map((line) => (isMoved(line) ? move(line) : line)).join('\n')
}

const readStamp = (stamp: string): number =>
  Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)$/i, '$1-$2-$3T$4:$5:$6Z'))

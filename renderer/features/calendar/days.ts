import type { ShownEvent } from '#contract/calendars.ts'
import { toDay, type Day } from '../../lib/day.ts'

export type View = 'month' | 'week'

const NANOSECONDS = 1e6
const DAYS_OF_WEEK = 7
const MILLISECONDS_OF_DAY = 86_400_000

/** Returns the start of a day in the local time zone. */
export function startOf(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

export function addDays(day: Day, count: number): Day {
  const date = startOf(day)
  date.setDate(date.getDate() + count)
  return toDay(date)
}

/** Returns the same day of another month, or its last day if it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const date = startOf(day)
  const first = new Date(date.getFullYear(), date.getMonth() + count, 1)
  const longest = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  first.setDate(Math.min(date.getDate(), longest))
  return toDay(first)
}

export const isSameMonth = (left: Day, right: Day): boolean =>
  left.slice(0, 7) === right.slice(0, 7)

interface WeekInfo {
  readonly firstDay: number
}

/** Returns the first day of the week for a locale: 0 for Sunday. */
export function firstWeekday(locale: string): number {
  const found = new Intl.Locale(locale) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo
    readonly weekInfo?: WeekInfo
  }
  const info = found.getWeekInfo?.() ?? found.weekInfo
  return (info?.firstDay ?? 1) % DAYS_OF_WEEK
}

export function startOfWeek(day: Day, first: number): Day {
  const weekday = startOf(day).getDay()
  return addDays(day, -((weekday - first + DAYS_OF_WEEK) % DAYS_OF_WEEK))
}

/** Returns the number of weeks that a month touches if its first one begins on a day. */
function weeksFrom(start: Day, day: Day): number {
  const last = startOf(addMonths(`${day.slice(0, 7)}-01`, 1))
  // Rounded, because a day of a clock change has another length.
  const days = Math.round((last.getTime() - startOf(start).getTime()) / MILLISECONDS_OF_DAY)
  return Math.ceil(days / DAYS_OF_WEEK)
}

/** Returns the days of a view around a given one: a week, or the whole weeks of a month. */
export function daysOf(view: View, day: Day, first: number): Day[] {
  const start = startOfWeek(view === 'week' ? day : `${day.slice(0, 7)}-01`, first)
  const count = DAYS_OF_WEEK * (view === 'week' ? 1 : weeksFrom(start, day))
  return Array.from({ length: count }, (_, index) => addDays(start, index))
}

export const step = (view: View, day: Day, count: number): Day =>
  view === 'week' ? addDays(day, count * DAYS_OF_WEEK) : addMonths(day, count)

/** Returns the range to request, extended so that it includes whole days of other time zones. */
export function toRange(days: readonly Day[]): { start: string; end: string } {
  return {
    start: startOf(addDays(days[0]!, -1)).toISOString(),
    end: startOf(addDays(days.at(-1)!, 2)).toISOString(),
  }
}

export const toDate = (nanoseconds: number): Date => new Date(nanoseconds / NANOSECONDS)
export const toNanoseconds = (date: Date): number => date.getTime() * NANOSECONDS

/** Returns the day of a moment in a time zone; in the local one if it is unknown. */
function dayIn(date: Date, zone: unknown): Day {
  if (typeof zone !== 'string') return toDay(date)
  try {
    const parts = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).formatToParts(date)
    const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? ''
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  } catch {
    return toDay(date)
  }
}

type Timed = Pick<ShownEvent, 'start_at' | 'end_at' | 'all_day' | 'meta'>

/**
 * Returns the first and last day of an event: all-day events use their own time zone, others the
 * local one.
 */
export function daysOfEvent({ start_at, end_at, all_day, meta }: Timed): { first: Day; last: Day } {
  const zone = all_day ? meta?.['timezone'] : undefined
  const first = dayIn(toDate(start_at), zone)
  const end = end_at !== null && end_at > start_at ? toDate(end_at).getTime() - 1 : null
  return { first, last: end === null ? first : dayIn(new Date(end), zone) }
}

/** Returns the events of a day: all-day events first, then by time. */
export function eventsOn(events: readonly ShownEvent[], day: Day): ShownEvent[] {
  return events
    .filter((event) => {
      const { first, last } = daysOfEvent(event)
      return first <= day && day <= last
    })
    .toSorted(
      (left, right) =>
        Number(right.all_day) - Number(left.all_day) || left.start_at - right.start_at,
    )
}

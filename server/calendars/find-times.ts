import { CALENDAR_LIMITS } from '#contract/calendars.ts'
import { Schedule } from '../lib/recurrence/schedule.ts'
import { isTimeZone, ownTimeZone, toInstant, toWallTime } from '../lib/recurrence/wall-clock.ts'
import { ServiceError } from '../lib/errors.ts'
import type { CalendarsParts } from './parts.ts'
import type { EventRow } from './store.ts'
import { toObject } from './to-calendar.ts'

/** One occurrence of an event. */
export interface EventTime {
  readonly start: number
  readonly end: number | null
  /** True if it is one of several occurrences of a rule. */
  readonly isRepeated: boolean
}

export async function zoneOf({ users }: CalendarsParts, row: EventRow): Promise<string> {
  const named = toObject(row.meta)?.['timezone']
  if (typeof named === 'string' && isTimeZone(named)) return named
  return findZone({ users }, row.user_id)
}

/** Resolves with the user's time zone, else this computer's. */
export const findZone = async (
  { users }: Pick<CalendarsParts, 'users'>,
  userId: string,
): Promise<string> => (await users.profiles.read(userId)).timezone ?? ownTimeZone()

/** A rule that cannot be parsed counts as no rule: clients may have stored anything. */
export async function readSchedule(row: EventRow, timezone: string): Promise<Schedule | null> {
  if (!row.rrule) return null
  try {
    return await Schedule.read(row.rrule, { timezone, anchor: row.start_at })
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) return null
    throw error
  }
}

/**
 * Returns the end of an occurrence with this start; all-day events keep their number of calendar
 * days regardless of clock changes.
 */
export function endAt(row: EventRow, start: number, zone: string): number | null {
  if (row.end_at === null) return null
  if (row.all_day === 0) return start + row.end_at - row.start_at
  const length = toWallTime(row.end_at, zone) - toWallTime(row.start_at, zone)
  return toInstant(toWallTime(start, zone) + length, zone)
}

/** Returns the occurrences of an event between two moments. */
export async function findTimes(
  parts: CalendarsParts,
  row: EventRow,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<EventTime[]> {
  const length = Math.max(0, (row.end_at ?? row.start_at) - row.start_at)
  const zone = row.rrule === null ? null : await zoneOf(parts, row)
  const schedule = zone === null ? null : await readSchedule(row, zone)
  if (schedule === null || zone === null) {
    const isShown = row.start_at < to && (row.start_at >= from || row.start_at + length > from)
    return isShown ? [{ start: row.start_at, end: row.end_at, isRepeated: false }] : []
  }
  return schedule
    .between(Math.max(from - length, row.start_at - 60_000), to, CALENDAR_LIMITS.shownOfEvent)
    .map((start) => ({ start, end: endAt(row, start, zone), isRepeated: true }))
    .filter(({ start, end }) => start >= from || (end ?? start) > from)
}

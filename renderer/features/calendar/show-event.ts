import type { Calendar, ShownEvent } from '#contract/calendars.ts'
import { formatLocale, translate } from '../../lib/i18n.ts'
import type { Day } from '../../lib/day.ts'
import { startOf, toDate } from './days.ts'

const PLAIN_COLOR = /^#[\da-f]{6}$/i
const NO_COLOR = '#64748b'

/** Returns the colour of an event, or else of its calendar; invalid values are ignored. */
export function colorOf(
  event: Pick<ShownEvent, 'color'> | null,
  calendar: Pick<Calendar, 'color'> | undefined,
): string {
  const colors = [event?.color, calendar?.color]
  return colors.find((color) => color && PLAIN_COLOR.test(color)) ?? NO_COLOR
}

/** The name of a calendar on screen; clients may create them without one. */
export const calendarName = ({ is_system, name }: Pick<Calendar, 'is_system' | 'name'>): string =>
  is_system ? translate('calendar.automations') : name.trim() || translate('calendar.untitled')

/** Returns a key that distinguishes the occurrences of an event. */
export const keyOf = (event: ShownEvent): string => event.instance_id ?? event.id

export const formatClock = (nanoseconds: number): string =>
  new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short' }).format(toDate(nanoseconds))

export function formatSpan({ start_at, end_at }: Pick<ShownEvent, 'start_at' | 'end_at'>): string {
  if (end_at === null || end_at <= start_at) return formatClock(start_at)
  return new Intl.DateTimeFormat(formatLocale(), { timeStyle: 'short' }).formatRange(
    toDate(start_at),
    toDate(end_at),
  )
}

export const formatWholeDay = (day: Day): string =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'full' }).format(startOf(day))

export const formatMonth = (day: Day): string =>
  new Intl.DateTimeFormat(formatLocale(), { month: 'long', year: 'numeric' }).format(startOf(day))

export const formatWeekday = (day: Day, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(formatLocale(), { weekday }).format(startOf(day))

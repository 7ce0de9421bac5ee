import type { CalendarEvent, EventInput } from '#contract/calendars.ts'
import { toDay, twoDigits, type Day } from '../../lib/day.ts'
import { addDays, daysOfEvent, startOf, toDate, toNanoseconds } from './days.ts'

export const REPEATS = ['none', 'daily', 'workdays', 'weekly', 'monthly', 'yearly', 'rule'] as const
export type Repeat = (typeof REPEATS)[number]

/** An event in the form's representation. */
export interface EventForm {
  readonly title: string
  readonly calendarId: string
  readonly isAllDay: boolean
  readonly startDay: Day
  /** `HH:MM`. */
  readonly startTime: string
  readonly endDay: Day
  readonly endTime: string
  readonly repeat: Repeat
  /** Recurrence rule as text, if it is none of the presets. */
  readonly rule: string
  /** Last day of a recurring event; empty for no end. */
  readonly until: Day
  /** The lines of a recurrence rule that exclude occurrences. */
  readonly exceptions: string
  /** Minutes before the start at which a reminder is sent; null for no reminder. */
  readonly reminder: number | null
  readonly location: string
  readonly description: string
  readonly attendees: readonly string[]
}

const RULES: Readonly<Record<Exclude<Repeat, 'none' | 'rule'>, string>> = {
  daily: 'RRULE:FREQ=DAILY',
  workdays: 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  weekly: 'RRULE:FREQ=WEEKLY',
  monthly: 'RRULE:FREQ=MONTHLY',
  yearly: 'RRULE:FREQ=YEARLY',
}
const UNTIL = /;UNTIL=(\d{4})(\d{2})(\d{2})T235959$/

const toTime = (date: Date): string =>
  `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`

const isException = (line: string): boolean => /^EXDATE/i.test(line.trim())

function readRule(
  text: string | null,
): Pick<EventForm, 'repeat' | 'rule' | 'until' | 'exceptions'> {
  if (!text) return { repeat: 'none', rule: '', until: '', exceptions: '' }
  const lines = text.split('\n')
  const rule = lines.filter((line) => !isException(line)).join('\n')
  return { ...readPlainRule(rule), exceptions: lines.filter(isException).join('\n') }
}

function readPlainRule(rule: string): Pick<EventForm, 'repeat' | 'rule' | 'until'> {
  const [, year, month, day] = UNTIL.exec(rule) ?? []
  const plain = rule.replace(UNTIL, '')
  const found = Object.entries(RULES).find(([, text]) => text === plain)
  if (!found) return { repeat: 'rule', rule, until: '' }
  return { repeat: found[0] as Repeat, rule: '', until: year ? `${year}-${month}-${day}` : '' }
}

function toRule({ repeat, rule, until, exceptions }: EventForm): string | null {
  if (repeat === 'none') return null
  const plain =
    repeat === 'rule'
      ? rule.trim()
      : RULES[repeat] + (until ? `;UNTIL=${until.replaceAll('-', '')}T235959` : '')
  return [plain, exceptions].filter(Boolean).join('\n') || null
}

/**
 * Returns the form of a new event: it starts at the next full hour, or at nine on another day, and
 * lasts one hour.
 */
export function newForm(day: Day, calendarId: string, now: Date = new Date()): EventForm {
  const hour = day === toDay(now) ? Math.min(now.getHours() + 1, 22) : 9
  return {
    title: '',
    calendarId,
    isAllDay: false,
    startDay: day,
    startTime: `${twoDigits(hour)}:00`,
    endDay: day,
    endTime: `${twoDigits(hour + 1)}:00`,
    ...readRule(null),
    reminder: null,
    location: '',
    description: '',
    attendees: [],
  }
}

function readReminder({ meta }: CalendarEvent): number | null {
  const minutes = meta?.['reminder_minutes']
  return typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 0 ? minutes : null
}

export function toForm(event: CalendarEvent): EventForm {
  const start = toDate(event.start_at)
  const end = event.end_at === null ? start : toDate(event.end_at)
  const whole = daysOfEvent(event)
  return {
    title: event.title,
    calendarId: event.calendar_id,
    isAllDay: event.all_day,
    startDay: event.all_day ? whole.first : toDay(start),
    startTime: toTime(start),
    endDay: event.all_day ? whole.last : toDay(end),
    endTime: toTime(end),
    ...readRule(event.rrule),
    reminder: readReminder(event),
    location: event.location ?? '',
    description: event.description ?? '',
    attendees: event.attendees.map(({ user_id }) => user_id),
  }
}

/**
 * Returns the form with the days and the clock times of one occurrence of a series, which differ
 * from those of the first one if the series follows the clock of another time zone.
 */
export function onTimeOf(
  form: EventForm,
  event: CalendarEvent | null,
  time: Pick<CalendarEvent, 'start_at' | 'end_at'> | null,
): EventForm {
  if (!event || !time) return form
  const { start_at, end_at } = time
  const { startDay, startTime, endDay, endTime } = toForm({ ...event, start_at, end_at })
  return { ...form, startDay, startTime, endDay, endTime }
}

const momentOf = (day: Day, time: string): Date => new Date(`${day}T${time}`)

const timesOf = ({ isAllDay, startDay, startTime, endDay, endTime }: EventForm) =>
  isAllDay
    ? { start: startOf(startDay), end: startOf(addDays(endDay, 1)) }
    : { start: momentOf(startDay, startTime), end: momentOf(endDay, endTime) }

export function endsFirst(form: EventForm): boolean {
  const { start, end } = timesOf(form)
  return end.getTime() < start.getTime()
}

/**
 * Returns the event to send: its times are in the local time zone, which the rule uses from now on.
 */
export function toInput(form: EventForm, before: CalendarEvent | null, zone: string): EventInput {
  const { start, end } = timesOf(form)
  return {
    calendar_id: form.calendarId,
    title: form.title.trim(),
    description: form.description.trim() || null,
    location: form.location.trim() || null,
    start_at: toNanoseconds(start),
    end_at: toNanoseconds(end),
    all_day: form.isAllDay,
    rrule: toRule(form),
    meta: { ...before?.meta, timezone: zone, reminder_minutes: form.reminder },
    attendees: form.attendees.map((user_id) => ({ user_id })),
  }
}

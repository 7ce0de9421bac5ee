import { toDay } from '../../lib/day.ts'

/** A schedule in the form's representation, without recurrence rules. */
export interface PlainSchedule {
  readonly kind: 'hours' | 'daily' | 'workdays' | 'weekly' | 'monthly' | 'called' | 'rule'
  readonly hours: number
  /** `HH:MM`. */
  readonly time: string
  readonly weekday: string
  readonly monthDay: number
  /** Recurrence rule as text. */
  readonly rule: string
}

export const KINDS = ['hours', 'daily', 'workdays', 'weekly', 'monthly', 'called', 'rule'] as const
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

export const DEFAULT_SCHEDULE: PlainSchedule = {
  kind: 'daily',
  hours: 6,
  time: '09:00',
  weekday: 'MO',
  monthDay: 1,
  rule: '',
}

/**
 * Returns a rule that starts today at the chosen time; null for a schedule that only runs when
 * called.
 */
export function toRule(schedule: PlainSchedule, today: Date = new Date()): string | null {
  const { kind, hours, time, weekday, monthDay, rule } = schedule
  if (kind === 'called') return null
  if (kind === 'rule') return rule
  const day = toDay(today).replaceAll('-', '')
  const parts = {
    hours: `FREQ=HOURLY;INTERVAL=${hours}`,
    daily: 'FREQ=DAILY',
    workdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    weekly: `FREQ=WEEKLY;BYDAY=${weekday}`,
    monthly: `FREQ=MONTHLY;BYMONTHDAY=${monthDay}`,
  }
  return `DTSTART:${day}T${time.replace(':', '')}00\nRRULE:${parts[kind]}`
}

const RULE = /^DTSTART:\d{8}T(\d{2})(\d{2})00\nRRULE:(.+)$/

function readParts(parts: string): Partial<PlainSchedule> | null {
  const hours = /^FREQ=HOURLY;INTERVAL=(\d{1,3})$/.exec(parts)
  if (hours) return { kind: 'hours', hours: Number(hours[1]) }
  if (parts === 'FREQ=DAILY') return { kind: 'daily' }
  if (parts === 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR') return { kind: 'workdays' }
  const weekly = /^FREQ=WEEKLY;BYDAY=([A-Z]{2})$/.exec(parts)
  if (weekly) return { kind: 'weekly', weekday: weekly[1]! }
  const monthly = /^FREQ=MONTHLY;BYMONTHDAY=(\d{1,2})$/.exec(parts)
  return monthly ? { kind: 'monthly', monthDay: Number(monthly[1]) } : null
}

/** Returns the choice equivalent to a rule; a rule without equivalent is shown as text. */
export function readRule(rule: string | null | undefined): PlainSchedule {
  if (rule === null || rule === undefined) return { ...DEFAULT_SCHEDULE, kind: 'called' }
  const [, hour, minute, parts = ''] = RULE.exec(rule) ?? []
  const found = readParts(parts)
  return found
    ? { ...DEFAULT_SCHEDULE, ...found, time: `${hour}:${minute}`, rule }
    : { ...DEFAULT_SCHEDULE, kind: 'rule', rule }
}

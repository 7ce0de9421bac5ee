import type { AttendeeStatus } from '#contract/calendars.ts'

/** Times are unix milliseconds; `data` and `meta` are JSON objects or null. */
export interface CalendarTable {
  id: string
  user_id: string
  name: string
  color: string | null
  is_default: number
  data: string | null
  meta: string | null
  created_at: number
  updated_at: number
}

/** `user_id` may refer to a deleted account: entries added to calendars of others stay. */
export interface CalendarEventTable {
  id: string
  calendar_id: string
  user_id: string
  title: string
  description: string | null
  start_at: number
  end_at: number | null
  all_day: number
  rrule: string | null
  color: string | null
  location: string | null
  data: string | null
  meta: string | null
  is_cancelled: number
  /** Time of the next reminder for its attendees; null for none. */
  remind_at: number | null
  created_at: number
  updated_at: number
}

export interface CalendarAttendeeTable {
  id: string
  event_id: string
  user_id: string
  status: AttendeeStatus
  meta: string | null
  created_at: number
  updated_at: number
}

/** Tables of calendars as Kysely sees them. */
export interface CalendarsTables {
  calendar: CalendarTable
  calendar_event: CalendarEventTable
  calendar_attendee: CalendarAttendeeTable
}

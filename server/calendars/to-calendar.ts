import {
  AUTOMATIONS_CALENDAR,
  CALENDAR_LIMITS,
  type Calendar,
  type CalendarEvent,
  type ShownEvent,
} from '#contract/calendars.ts'
import { toAuthor } from '../lib/author.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { CalendarsParts } from './parts.ts'
import { mayChange } from './rights.ts'
import type { CalendarRow, EventRow } from './store.ts'

const NANOSECONDS = 1_000_000

/** Times in the API are in nanoseconds. */
export const toNanoseconds = (milliseconds: number): number => milliseconds * NANOSECONDS
export const toMilliseconds = (nanoseconds: number): number => Math.round(nanoseconds / NANOSECONDS)

export type JsonObject = Record<string, unknown>

export const toObject = (text: string | null): JsonObject | null =>
  text === null ? null : (JSON.parse(text) as JsonObject)

/** Throws 413 if more would be stored than one field may have. */
export function requireShort(bytes: number): void {
  if (bytes > CALENDAR_LIMITS.jsonBytes)
    throw tooLarge(
      `The fields data and meta of a calendar or an event may have ${CALENDAR_LIMITS.jsonBytes} bytes each.`,
    )
}

/** Returns an object as it is stored; undefined if it was not sent. */
export function toText(value: JsonObject | null | undefined): string | null | undefined {
  if (!value) return value
  checkPlainJson(value, 'The calendar')
  const text = JSON.stringify(value)
  requireShort(Buffer.byteLength(text))
  return text
}

/**
 * Returns a calendar as its reader sees it; the grants are included only for those who may change
 * it.
 */
export async function toCalendar(
  parts: CalendarsParts,
  caller: Caller,
  row: CalendarRow,
): Promise<Calendar> {
  const canWrite = await mayChange(parts, caller, row)
  const { access_grants: grants } = await parts.access.describe('calendar', row.id)
  return { ...toReadOnly(row), access_grants: canWrite ? grants : [], write_access: canWrite }
}

/** Returns a calendar without rights. */
export const toReadOnly = (row: CalendarRow): Calendar => ({
  ...row,
  is_default: row.is_default === 1,
  is_system: false,
  data: toObject(row.data),
  meta: toObject(row.meta),
  access_grants: [],
  write_access: false,
  created_at: toNanoseconds(row.created_at),
  updated_at: toNanoseconds(row.updated_at),
})

/** Returns the virtual calendar of automations. */
export const toAutomationsCalendar = ({ userId }: Caller): Calendar => ({
  id: AUTOMATIONS_CALENDAR,
  user_id: userId,
  name: 'Scheduled Tasks',
  color: '#8b5cf6',
  is_default: false,
  is_system: true,
  data: null,
  meta: null,
  access_grants: [],
  write_access: false,
  created_at: 0,
  updated_at: 0,
})

export async function toEvent(
  { events }: Pick<CalendarsParts, 'events'>,
  row: EventRow,
): Promise<CalendarEvent> {
  const attendees = await events.attendees(row.id)
  const shown = { ...row }
  // The time of the next reminder is internal to the gateway.
  Reflect.deleteProperty(shown, 'remind_at')
  return {
    ...shown,
    start_at: toNanoseconds(row.start_at),
    end_at: row.end_at === null ? null : toNanoseconds(row.end_at),
    all_day: row.all_day === 1,
    is_cancelled: row.is_cancelled === 1,
    data: toObject(row.data),
    meta: toObject(row.meta),
    attendees: attendees.map((each) => ({
      ...each,
      meta: toObject(each.meta),
      created_at: toNanoseconds(each.created_at),
      updated_at: toNanoseconds(each.updated_at),
    })),
    created_at: toNanoseconds(row.created_at),
    updated_at: toNanoseconds(row.updated_at),
  }
}

/** Returns an event as the API shows it, with its author. */
export async function withAuthor(
  parts: CalendarsParts,
  caller: Caller,
  row: EventRow,
): Promise<CalendarEvent & Pick<ShownEvent, 'user'>> {
  return {
    ...(await toEvent(parts, row)),
    user: await toAuthor(parts.users, row.user_id, caller),
  }
}

import { AUTOMATIONS_CALENDAR, CALENDAR_LIMITS } from '#contract/calendars.ts'
import { badRequest, forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { CalendarsParts } from './parts.ts'
import type { CalendarRow, EventRow } from './store.ts'

const toResource = ({ id, user_id }: CalendarRow) =>
  ({ type: 'calendar', id, ownerId: user_id }) as const

export const mayRead = (
  { access }: CalendarsParts,
  caller: Pick<Caller, 'userId' | 'role'>,
  row: CalendarRow,
): boolean | Promise<boolean> => access.allows(caller, toResource(row), 'read')

export const mayChange = (
  { access }: CalendarsParts,
  caller: Caller,
  row: CalendarRow,
): boolean | Promise<boolean> => access.allows(caller, toResource(row), 'write')

/** Error for a calendar beyond the number a user may have. */
export const tooManyCalendars = () =>
  badRequest(
    `You may have ${CALENDAR_LIMITS.calendars} calendars. Delete one you no longer need.`,
    { code: 'too_many_calendars' },
  )

/** Error for an event beyond the number a calendar may have. */
export const tooManyEvents = () =>
  badRequest(
    `A calendar may have ${CALENDAR_LIMITS.eventsOfCalendar} events. Delete old ones first.`,
    { code: 'too_many_events' },
  )

/** Reports whether a user is shown the times of automations. */
export async function hasAutomations(
  { groups, settings, users }: CalendarsParts,
  caller: Caller,
): Promise<boolean> {
  return (
    settings.get('ENABLE_AUTOMATIONS') &&
    !users.cached.isGuest(caller.userId) &&
    (await groups.allows(caller, 'features.automations'))
  )
}

/** Throws 404 for a calendar the caller may not read, 403 for one they may only read. */
export async function requireCalendar(
  parts: CalendarsParts,
  caller: Caller,
  { id, permission }: { readonly id: string; readonly permission: 'read' | 'write' },
): Promise<CalendarRow> {
  if (id === AUTOMATIONS_CALENDAR && permission === 'write')
    throw forbidden('This calendar shows when automations run. Change those instead.', {
      code: 'not_permitted',
    })
  const row = await parts.calendars.get(id)
  if (!row || !(await mayRead(parts, caller, row))) throw notFound('Calendar not found')
  if (permission === 'write' && !(await mayChange(parts, caller, row)))
    throw forbidden('You may look at this calendar, not change it. Ask its owner.', {
      code: 'not_permitted',
    })
  return row
}

/**
 * Returns an event for readers of its calendar and for invited users; changing it requires write
 * access to the calendar.
 */
export async function requireEvent(
  parts: CalendarsParts,
  caller: Caller,
  { id, permission }: { readonly id: string; readonly permission: 'read' | 'write' },
): Promise<EventRow> {
  const row = await parts.events.get(id)
  const calendar = row && (await parts.calendars.get(row.calendar_id))
  const isReader = calendar && (await mayRead(parts, caller, calendar))
  const isSeen =
    isReader ||
    (row && (await parts.events.attendees(id)).some(({ user_id }) => user_id === caller.userId))
  if (!row || !calendar || !isSeen) throw notFound('Event not found')
  if (permission === 'write' && !(await mayChange(parts, caller, calendar)))
    throw forbidden('You may view this event, but not change it. Ask its author.', {
      code: 'not_permitted',
    })
  return row
}

import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { EventLists } from './event-lists.ts'
import type { StoredCalendars } from './stored-calendars.ts'
import type { CalendarEvents } from './calendar-events.ts'

const table = endpoints.calendars

export const createCalendarRoutes = (
  calendars: StoredCalendars,
  events: CalendarEvents,
  lists: EventLists,
): Route[] => [
  route(table.list, ({ caller }) => calendars.list(caller)),
  route(table.create, ({ caller, body }) => calendars.create(caller, body)),
  route(table.events, ({ caller, query }) => lists.between(caller, query)),
  route(table.search, ({ caller, query }) => lists.search(caller, query)),
  route(table.createEvent, ({ caller, body }) => events.create(caller, body)),
  route(table.getEvent, ({ caller, params }) => events.get(caller, params.event_id)),
  route(table.updateEvent, ({ caller, params, body }) =>
    events.update(caller, params.event_id, body),
  ),
  route(table.answer, ({ caller, params, body }) =>
    events.answer(caller, params.event_id, body.status),
  ),
  route(table.removeEvent, async ({ caller, params, query }) => {
    await events.remove(caller, params.event_id, query)
    return { status: true }
  }),
  route(table.get, ({ caller, params }) => calendars.get(caller, params.calendar_id)),
  route(table.update, ({ caller, params, body }) =>
    calendars.update(caller, params.calendar_id, body),
  ),
  route(table.makeDefault, ({ caller, params }) =>
    calendars.makeDefault(caller, params.calendar_id),
  ),
  route(table.remove, async ({ caller, params }) => {
    await calendars.remove(caller, params.calendar_id)
    return { status: true }
  }),
]

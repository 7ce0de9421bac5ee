import type { Calendar, CalendarEvent } from '#contract/calendars.ts'
import { notFound } from '../lib/errors.ts'
import type { Storage } from '../storage/index.ts'
import { CalendarStore, EventStore, type CalendarRow, type EventRow } from './store.ts'
import { toEvent, toReadOnly } from './to-calendar.ts'

const EVENTS_AT_A_TIME = 200

/** A calendar or an event of an earlier state. */
export type OldCalendar = CalendarRow
export type OldEvent = EventRow

/** Read-only calendars of an earlier state of the database, for their owners. */
export class OldCalendars {
  readonly #calendars: CalendarStore
  readonly #events: EventStore

  constructor(storage: Storage) {
    this.#calendars = new CalendarStore(storage)
    this.#events = new EventStore(storage)
  }

  list(userId: string): Promise<OldCalendar[]> {
    return this.#calendars.ofOwner(userId)
  }

  /** Events of a calendar, a batch per step. */
  async *eventsOf({ id }: OldCalendar): AsyncGenerator<OldEvent[]> {
    let last = ''
    for (;;) {
      const rows = await this.#events.after(id, last, EVENTS_AT_A_TIME)
      if (rows.length === 0) return
      yield rows
      last = rows.at(-1)!.id
    }
  }

  /** Throws the same 404 for a missing or foreign calendar. */
  async get(userId: string, id: string): Promise<OldCalendar> {
    const row = await this.#calendars.get(id)
    if (row?.user_id !== userId) throw notFound('The snapshot has no such calendar of yours.')
    return row
  }

  /** Same as `get`, in the form of the API. */
  async read(userId: string, id: string): Promise<Calendar> {
    return toReadOnly(await this.get(userId, id))
  }

  /** Same as `event`, in the form of the API. */
  async readEvent(userId: string, id: string): Promise<CalendarEvent> {
    return toEvent({ events: this.#events }, await this.event(userId, id))
  }

  /** Throws the same 404 for a missing event and for one in the calendar of another user. */
  async event(userId: string, id: string): Promise<OldEvent> {
    const row = await this.#events.get(id)
    const calendar = row && (await this.#calendars.get(row.calendar_id))
    if (!row || calendar?.user_id !== userId)
      throw notFound('The snapshot has no such event of yours.')
    return row
  }
}

import { CALENDAR_LIMITS } from '#contract/calendars.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import type { StoredCalendars } from './stored-calendars.ts'
import type { OldCalendar, OldEvent } from './old-calendars.ts'
import type { CalendarsParts } from './parts.ts'
import { minutesOf, type Reminders } from './reminders.ts'
import { tooManyCalendars, tooManyEvents } from './rights.ts'

/**
 * Stores calendars and events of an earlier state as new ones of the caller. Invitations are left
 * out, so that no user is invited or reminded a second time.
 */
export class CalendarRestore {
  readonly #parts: CalendarsParts
  readonly #calendars: StoredCalendars
  readonly #reminders: Reminders

  constructor(parts: CalendarsParts, calendars: StoredCalendars, reminders: Reminders) {
    this.#parts = parts
    this.#calendars = calendars
    this.#reminders = reminders
  }

  /** Resolves with the id of the new calendar. Its events are written in short transactions. */
  async calendar(
    { userId }: Caller,
    old: OldCalendar,
    batches: AsyncIterable<readonly OldEvent[]>,
  ): Promise<string> {
    const { calendars, storage } = this.#parts
    const now = Date.now()
    const id = newId()
    await storage.transaction(async () => {
      const own = await calendars.ofOwner(userId)
      if (own.length >= CALENDAR_LIMITS.calendars) throw tooManyCalendars()
      await calendars.insert({
        ...old,
        id,
        user_id: userId,
        is_default: own.length === 0 ? 1 : 0,
        created_at: now,
        updated_at: now,
      })
    })
    try {
      for await (const batch of batches)
        await storage.transaction(async () => {
          for (const event of batch) await this.#store(userId, { ...event, calendar_id: id })
        })
    } catch (error) {
      await calendars.remove(id)
      throw error
    }
    return id
  }

  /** Resolves with the id of the new event: in its calendar, or the default one where that is gone. */
  async event(caller: Caller, old: OldEvent): Promise<string> {
    const own = await this.#calendars.rows(caller)
    const mine = own.filter(({ user_id }) => user_id === caller.userId)
    const place =
      mine.find(({ id }) => id === old.calendar_id) ??
      mine.find(({ is_default }) => is_default === 1) ??
      mine[0]!
    return this.#parts.storage.transaction(async () => {
      if ((await this.#parts.events.count(place.id)) >= CALENDAR_LIMITS.eventsOfCalendar)
        throw tooManyEvents()
      return this.#store(caller.userId, { ...old, calendar_id: place.id })
    })
  }

  async #store(userId: string, event: OldEvent): Promise<string> {
    const id = newId()
    const now = Date.now()
    await this.#parts.events.insert({
      ...event,
      id,
      user_id: userId,
      remind_at: null,
      created_at: now,
      updated_at: now,
    })
    if (minutesOf(event) !== null) await this.#reminders.plan(id)
    return id
  }
}

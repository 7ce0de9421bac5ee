import { BringBack } from './bring-back.ts'
import type { Caller, Route } from '../lib/http.ts'
import { ListEvents } from './list-events.ts'
import { ManageCalendars } from './manage-calendars.ts'
import { ManageEvents } from './manage-events.ts'
import type { OldCalendar, OldEvent } from './old-calendars.ts'
import type { CalendarsDependencies } from './parts.ts'
import { createCalendarRoutes } from './routes.ts'
import { Reminders } from './reminders.ts'
import { CalendarStore, EventStore } from './store.ts'

export { OldCalendars } from './old-calendars.ts'

/** Calendars of users, their events, and the run times of automations. */
export class Calendars {
  readonly routes: readonly Route[]
  readonly #reminders: Reminders
  readonly #bringBack: BringBack

  constructor(dependencies: CalendarsDependencies) {
    const { storage } = dependencies
    const parts = {
      ...dependencies,
      calendars: new CalendarStore(storage),
      events: new EventStore(storage),
    }
    this.#reminders = new Reminders(parts)
    dependencies.users.profiles.onZoneChanged((userId) => this.#reminders.planAgain(userId))
    const events = new ManageEvents(parts, this.#reminders)
    const calendars = new ManageCalendars(parts)
    this.#bringBack = new BringBack(parts, calendars, this.#reminders)
    const lists = new ListEvents(parts, calendars)
    this.routes = createCalendarRoutes(calendars, events, lists)
  }

  /** Starts sending reminders of events. */
  async start(): Promise<void> {
    await this.#reminders.look()
  }

  /** Stores a calendar of an earlier state as a new one of the caller; resolves with its id. */
  bringBack(
    caller: Caller,
    old: OldCalendar,
    events: AsyncIterable<readonly OldEvent[]>,
  ): Promise<string> {
    return this.#bringBack.calendar(caller, old, events)
  }

  /** The same for one event. */
  bringEventBack(caller: Caller, old: OldEvent): Promise<string> {
    return this.#bringBack.event(caller, old)
  }

  async close(): Promise<void> {
    await this.#reminders.close()
  }
}

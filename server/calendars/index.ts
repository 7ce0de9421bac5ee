import { CalendarRestore } from './calendar-restore.ts'
import type { Route } from '../lib/http.ts'
import { EventLists } from './event-lists.ts'
import { StoredCalendars } from './stored-calendars.ts'
import { CalendarEvents } from './calendar-events.ts'
import type { CalendarsDependencies } from './parts.ts'
import { createCalendarRoutes } from './routes.ts'
import { Reminders } from './reminders.ts'
import { CalendarStore, EventStore } from './store.ts'

export { OldCalendars } from './old-calendars.ts'

/** Calendars of users, their events, and the run times of automations. */
export class Calendars {
  readonly routes: readonly Route[]
  readonly #reminders: Reminders
  /** Stores calendars and events of an earlier state. */
  readonly bringBack: CalendarRestore

  constructor(dependencies: CalendarsDependencies) {
    const { storage } = dependencies
    const parts = {
      ...dependencies,
      calendars: new CalendarStore(storage),
      events: new EventStore(storage),
    }
    this.#reminders = new Reminders(parts)
    dependencies.users.profiles.onZoneChanged((userId) => this.#reminders.planAgain(userId))
    const events = new CalendarEvents(parts, this.#reminders)
    const calendars = new StoredCalendars(parts)
    this.bringBack = new CalendarRestore(parts, calendars, this.#reminders)
    const lists = new EventLists(parts, calendars)
    this.routes = createCalendarRoutes(calendars, events, lists)
  }

  /** Starts sending reminders of events. */
  async start(): Promise<void> {
    await this.#reminders.look()
  }

  async close(): Promise<void> {
    await this.#reminders.close()
  }
}

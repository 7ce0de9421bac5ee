import { BringBack } from './bring-back.ts'
import type { Route } from '../lib/http.ts'
import { ListEvents } from './list-events.ts'
import { ManageCalendars } from './manage-calendars.ts'
import { ManageEvents } from './manage-events.ts'
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
  readonly bringBack: BringBack

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
    this.bringBack = new BringBack(parts, calendars, this.#reminders)
    const lists = new ListEvents(parts, calendars)
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

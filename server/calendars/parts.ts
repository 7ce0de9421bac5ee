import type { Access } from '../access/index.ts'
import type { Automations } from '../automations/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { CalendarStore, EventStore } from './store.ts'

/** Dependencies of the module. */
export interface CalendarsDependencies {
  readonly storage: Storage
  readonly settings: Settings<'ENABLE_AUTOMATIONS' | 'ENABLE_CALENDAR'>
  readonly access: Access
  readonly groups: Groups
  readonly users: Users
  /** Notifies the open windows. */
  readonly notices: Pick<Events, 'emit'>
  readonly log: Logger
  readonly automations: Automations
}

/** The dependencies together with the stores of the module. */
export interface CalendarsParts extends CalendarsDependencies {
  readonly calendars: CalendarStore
  readonly events: EventStore
}

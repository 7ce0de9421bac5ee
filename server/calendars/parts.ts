import type { Access } from '../access/index.ts'
import type { Automations } from '../automations/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { CalendarStore, EventStore } from './store.ts'

/** What the room is built on. */
export interface CalendarsDependencies {
  readonly storage: Storage
  readonly settings: Settings<'ENABLE_AUTOMATIONS'>
  readonly access: Access
  readonly groups: Pick<Groups, 'allows'>
  readonly users: Pick<Users, 'get' | 'isGuest' | 'profiles'>
  readonly automations: Pick<Automations, 'timesOf'>
}

/** The same with the stores of the room. */
export interface CalendarsParts extends CalendarsDependencies {
  readonly calendars: CalendarStore
  readonly events: EventStore
}

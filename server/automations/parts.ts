import type { Auth } from '../auth/index.ts'
import type { Completions } from '../completions/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'

/** The settings this module reads. */
export type AutomationsSettings = Settings<
  'ENABLE_AUTOMATIONS' | 'AUTOMATION_MAX_COUNT' | 'AUTOMATION_MIN_INTERVAL' | 'AUTOMATION_TIMEOUT'
>

/** Dependencies of the module. */
export interface AutomationsDependencies {
  readonly storage: Storage
  readonly settings: AutomationsSettings
  readonly users: Users
  readonly groups: Groups
  readonly auth: Auth
  readonly events: Pick<Events, 'emit'>
  readonly live?: Live | null
  readonly log: Logger
  readonly completions: Completions
}

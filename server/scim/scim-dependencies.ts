import type { Groups } from '../groups/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'

export interface ScimDependencies {
  readonly storage: Storage
  readonly settings: Settings<'WEBUI_URL'>
  readonly users: Users
  readonly groups: Groups
}

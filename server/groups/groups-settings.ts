import type { GatewaySettings, Settings } from '../settings/index.ts'

/** Settings read by this module. */
export type GroupsSettings = Settings<
  | 'DEFAULT_GROUP_ID'
  | 'ENABLE_PERSISTENT_CONFIG'
  | 'USER_PERMISSIONS'
  | 'USER_PERMISSIONS_FEATURES_API_KEYS'
> &
  Pick<GatewaySettings, 'onChange' | 'update'>

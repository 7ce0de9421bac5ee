import type { GatewaySettings, Settings } from '../settings/index.ts'

/** Settings read by this module. */
export type ToolsSettings = Settings<
  | 'ENABLE_PERSISTENT_CONFIG'
  | 'OAUTH_CLIENT_INFO_ENCRYPTION_KEY'
  | 'OFFLINE_MODE'
  | 'SEALED_MODE'
  | 'TOOL_APPROVAL'
  | 'TOOL_SERVER_CONNECTIONS'
  | 'WEBUI_NAME'
  | 'WEBUI_URL'
> &
  Pick<GatewaySettings, 'onChange'>

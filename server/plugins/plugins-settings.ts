import type { GatewaySettings, Settings } from '../settings/index.ts'

/** Settings read by this module. */
export type PluginsSettings = Settings<
  | 'ENABLE_ADMIN_CHAT_ACCESS'
  | 'ENABLE_MEMORIES'
  | 'ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS'
  | 'ENABLE_PLUGIN_EXECUTE'
  | 'JSON_BODY_MAX_DEPTH'
  | 'JSON_BODY_MAX_VALUES'
  | 'OFFLINE_MODE'
  | 'PLUGIN_BASE_PACKAGES'
  | 'PLUGIN_ENVIRONMENTS'
  | 'PLUGIN_IDLE_TIMEOUT'
  | 'PLUGIN_MEMORY_LIMIT'
  | 'PLUGIN_PROCESS_LIMIT'
  | 'PLUGIN_PYTHON'
  | 'PLUGIN_THREAD_LIMIT'
  | 'PLUGIN_WORKER_LIMIT'
  | 'PLUGIN_WRITABLE_FOLDERS'
  | 'SEALED_MODE'
  | 'WEBSOCKET_MAX_EVENT_SIZE'
  | 'WEBUI_URL'
> &
  Pick<GatewaySettings, 'describe' | 'exported' | 'onChange'>

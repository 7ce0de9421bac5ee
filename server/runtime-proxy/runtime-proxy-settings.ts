import type { GatewaySettings, Settings } from '../settings/index.ts'

/** The settings this module reads. */
export type RuntimeProxySettings = Settings<
  'ENABLE_LLMHOST_API' | 'ENABLE_OPENAI_API' | 'OFFLINE_MODE' | 'SEALED_MODE'
> &
  Pick<GatewaySettings, 'update'>

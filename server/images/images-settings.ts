import type { FetchSettings } from '../retrieval/index.ts'
import type { GatewaySettings, SettingName, Settings } from '../settings/index.ts'

/** The settings this module reads. */
export type ImagesSettings = Settings<
  Extract<SettingName, `${'IMAGE' | 'ENABLE_IMAGE' | 'COMFYUI' | 'AUTOMATIC1111'}${string}`>
> &
  FetchSettings &
  Pick<GatewaySettings, 'update'>

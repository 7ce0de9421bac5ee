import type { GatewaySettings, SettingName, Settings } from '../settings/index.ts'

/** The settings this room reads. */
export type ImagesSettings = Settings<
  | 'OFFLINE_MODE'
  | Extract<SettingName, `${'IMAGE' | 'ENABLE_IMAGE' | 'COMFYUI' | 'AUTOMATIC1111'}${string}`>
> &
  Pick<GatewaySettings, 'update'>

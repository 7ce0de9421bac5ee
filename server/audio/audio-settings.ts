import type { GatewaySettings, SettingName, Settings } from '../settings/index.ts'

/** The settings this module reads. */
export type AudioSettings = Settings<
  | Extract<SettingName, `${'AUDIO_' | 'DEEPGRAM_' | 'ELEVENLABS_'}${string}`>
  | 'OFFLINE_MODE'
  | 'SEALED_MODE'
  | 'WHISPER_MODEL'
> &
  Pick<GatewaySettings, 'update'>

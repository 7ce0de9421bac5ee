import type { Settings } from '../settings/index.ts'

/** The settings this room reads. */
export type ChannelsSettings = Settings<'ENABLE_CHANNELS'>

import type { Settings } from '../settings/index.ts'

/** The settings this module reads. */
export type ChannelsSettings = Settings<'ENABLE_CHANNELS'>

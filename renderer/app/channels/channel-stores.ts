import { createChannelsStore } from '../../features/channels/channels-store.ts'

/** The channels of this window. */
export const channelsStore = createChannelsStore()

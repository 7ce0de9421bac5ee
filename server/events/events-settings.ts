import type { Settings } from '../settings/index.ts'

/** The settings this room reads. */
export type EventsSettings = Settings<
  'WEBSOCKET_MAX_EVENT_SIZE' | 'WEBSOCKET_MAX_PER_ACCOUNT' | 'WEBSOCKET_MAX_WAITING'
>

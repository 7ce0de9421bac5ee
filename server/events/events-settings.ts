import type { Settings } from '../settings/index.ts'

/** Settings used by this module. */
export type EventsSettings = Settings<
  | 'WEBSOCKET_MAX_EVENT_SIZE'
  | 'WEBSOCKET_MAX_FRAME_DEPTH'
  | 'WEBSOCKET_MAX_FRAME_VALUES'
  | 'WEBSOCKET_MAX_PER_ACCOUNT'
  | 'WEBSOCKET_MAX_WAITING'
>

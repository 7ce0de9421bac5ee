import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import type { Settings } from '../../settings/index.ts'

/** Limits of one message of a worker. */
export interface MessageBounds {
  readonly json: JsonBounds
  /** Maximum size of an event in MiB. */
  readonly eventMebibytes: number
}

/** The limits of JSON bodies and of events also apply to messages of plugins. */
export const readMessageBounds = (
  settings: Settings<'JSON_BODY_MAX_DEPTH' | 'JSON_BODY_MAX_VALUES' | 'WEBSOCKET_MAX_EVENT_SIZE'>,
): MessageBounds => ({
  json: {
    values: settings.get('JSON_BODY_MAX_VALUES'),
    valuesSetting: 'JSON_BODY_MAX_VALUES',
    depth: settings.get('JSON_BODY_MAX_DEPTH'),
    subject: 'What the plugin sent',
  },
  eventMebibytes: settings.get('WEBSOCKET_MAX_EVENT_SIZE'),
})

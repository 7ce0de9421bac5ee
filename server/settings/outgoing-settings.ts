import type { SettingDefinition } from './setting-definition.ts'

/** What may leave the gateway's computer, and how long it is remembered. */
export const outgoingSettings = [
  {
    key: 'SEALED_MODE',
    type: 'boolean',
    default: false,
    help: 'Refuses every connection to another computer, whatever wants it. Devices of your network stay reachable while it is shared with them.',
  },
  {
    key: 'OUTGOING_DAYS',
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 3650,
    help: 'How many days outgoing connections are listed.',
  },
] as const satisfies readonly SettingDefinition[]

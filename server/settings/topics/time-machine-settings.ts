import type { SettingDefinition } from '../setting-definition.ts'

export const timeMachineSettings = [
  {
    key: 'ENABLE_TIME_MACHINE',
    name: 'Time machine',
    searchWords: 'snapshot history undo restore',
    type: 'boolean',
    default: true,
    help: 'Keeps earlier states of all data, from which people can bring back their own chats, folders, notes and prompts.',
  },
  {
    key: 'TIME_MACHINE_INTERVAL',
    name: 'Time between snapshots',
    searchWords: 'snapshot hourly',
    type: 'integer',
    default: 60,
    minimum: 5,
    maximum: 10_080,
    help: 'After how many minutes the next snapshot is made, if anything changed.',
  },
  {
    key: 'TIME_MACHINE_BUDGET',
    name: 'Space for snapshots',
    searchWords: 'snapshot disk',
    type: 'integer',
    default: 2000,
    minimum: 10,
    maximum: 10_000_000,
    help: 'How many megabytes all snapshots may take. The oldest give way first; the newest always stays.',
  },
] as const satisfies readonly SettingDefinition[]

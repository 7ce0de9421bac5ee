import { integer, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

export const timeMachineSettings = [
  toggle('ENABLE_TIME_MACHINE', true, {
    name: 'Time machine',
    searchWords: 'snapshot history undo restore',
    help: 'Keeps earlier states of all data, from which people can bring back their own chats, folders, notes and prompts.',
  }),
  integer('TIME_MACHINE_INTERVAL', 60, [5, 10_080], {
    name: 'Time between snapshots',
    searchWords: 'snapshot hourly',
    help: 'After how many minutes the next snapshot is made, if anything changed.',
  }),
  integer('TIME_MACHINE_BUDGET', 2000, [10, 10_000_000], {
    name: 'Space for snapshots',
    searchWords: 'snapshot disk',
    help: 'How many megabytes all snapshots may take. The oldest give way first; the newest always stays.',
  }),
] as const satisfies readonly SettingDefinition[]

import { integer, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

export const requestLog = [
  toggle('ENABLE_REQUEST_LOG', true, {
    name: 'Keep a request log',
    searchWords: 'history calls debug',
    help: 'Keeps the latest API calls in memory for administrators.',
  }),
  toggle('ENABLE_REQUEST_LOG_BODIES', false, {
    name: 'Keep request bodies',
    searchWords: 'bodies replay debug',
    help: 'Also keeps the bodies of these calls, without keys, passwords and tokens. They contain what people write.',
  }),
  integer('REQUEST_LOG_SIZE', 500, [1, 10_000], {
    name: 'Calls kept in the log',
    searchWords: 'history',
    help: 'How many calls are kept.',
  }),
] as const satisfies readonly SettingDefinition[]

export const operation = [
  toggle('ENABLE_PERSISTENT_CONFIG', true, {
    name: 'Keep changes made here',
    searchWords: 'environment',
    environmentOnly: true,
    help: 'When off, environment variables take precedence over changes in the settings.',
  }),
  integer('SHUTDOWN_GRACE', 3, [0, 300], {
    name: 'Grace period when stopping',
    searchWords: 'restart',
    help: 'How many seconds running answers may continue after the gateway was asked to stop; stopping takes two more. At most 3 in the desktop app.',
  }),
] as const satisfies readonly SettingDefinition[]

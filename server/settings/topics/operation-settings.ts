import type { SettingDefinition } from '../setting-definition.ts'

export const requestLog = [
  {
    key: 'ENABLE_REQUEST_LOG',
    name: 'Keep a request log',
    searchWords: 'history calls debug',
    type: 'boolean',
    default: true,
    help: 'Keeps the latest API calls in memory for administrators.',
  },
  {
    key: 'ENABLE_REQUEST_LOG_BODIES',
    name: 'Keep request bodies',
    searchWords: 'bodies replay debug',
    type: 'boolean',
    default: false,
    help: 'Also keeps the bodies of these calls, without keys, passwords and tokens. They contain what people write.',
  },
  {
    key: 'REQUEST_LOG_SIZE',
    name: 'Calls kept in the log',
    searchWords: 'history',
    type: 'integer',
    default: 500,
    minimum: 1,
    maximum: 10_000,
    help: 'How many calls are kept.',
  },
] as const satisfies readonly SettingDefinition[]

export const operation = [
  {
    key: 'ENABLE_PERSISTENT_CONFIG',
    name: 'Keep changes made here',
    searchWords: 'environment',
    type: 'boolean',
    default: true,
    environmentOnly: true,
    help: 'When off, environment variables take precedence over changes in the settings.',
  },
  {
    key: 'SHUTDOWN_GRACE',
    name: 'Grace period when stopping',
    searchWords: 'restart',
    type: 'integer',
    default: 3,
    minimum: 0,
    maximum: 300,
    help: 'How many seconds running answers may continue after the gateway was asked to stop; stopping takes two more. At most 3 in the desktop app.',
  },
] as const satisfies readonly SettingDefinition[]

import type { SettingDefinition } from './definitions.ts'

/** How much one caller may ask the gateway to hold and to send at once. */
export const intakeSettings: SettingDefinition[] = [
  {
    key: 'JSON_BODY_MAX_VALUES',
    type: 'integer',
    default: 500_000,
    minimum: 1000,
    maximum: 10_000_000,
    help: 'Most values (objects, lists, texts and numbers) in the JSON body of one call; imports of chats may have 2,000,000.',
  },
  {
    key: 'JSON_BODY_MAX_DEPTH',
    type: 'integer',
    default: 200,
    minimum: 20,
    maximum: 1000,
    help: 'Most levels objects and lists of a JSON body may be nested.',
  },
  {
    key: 'REQUEST_MEMORY_PER_ACCOUNT',
    type: 'integer',
    default: 256,
    minimum: 1,
    maximum: 65_536,
    help: 'Memory in MiB that the bodies of one account may take while their calls are under way.',
  },
  {
    key: 'REQUEST_MEMORY_ANONYMOUS',
    type: 'integer',
    default: 16,
    minimum: 1,
    maximum: 65_536,
    help: 'The same for all callers without an account together; each address gets a sixteenth of it.',
  },
  {
    key: 'CHAT_SAVE_MAX_MESSAGES',
    type: 'integer',
    default: 5000,
    minimum: 100,
    maximum: 1_000_000,
    help: 'Messages of a chat that one call may store; a longer chat is stored in several calls, or imported.',
  },
  {
    key: 'WEBSOCKET_MAX_PER_ACCOUNT',
    type: 'integer',
    default: 100,
    minimum: 1,
    maximum: 100_000,
    help: 'Sockets (open windows and scripts) one account may have at the same time.',
  },
  {
    key: 'WEBSOCKET_MAX_EVENT_SIZE',
    type: 'integer',
    default: 4,
    minimum: 1,
    maximum: 64,
    help: 'Largest event in MiB that tools and scripts may send to windows.',
  },
]

import { foundBy, integer } from '../rows.ts'

/** Limits on what one caller may have the gateway store and send at once. */
export const intakeSettings = foundBy('limit', [
  integer('JSON_BODY_MAX_VALUES', 500_000, [1000, 10_000_000], {
    name: 'Maximum values in a request',
    searchWords: 'limit size',
    help: 'Maximum number of values (objects, lists, texts and numbers) in the JSON body of one call or one plugin message; chat imports have their own limit.',
  }),
  integer('JSON_IMPORT_MAX_VALUES', 2_000_000, [1000, 10_000_000], {
    name: 'Maximum values in an import',
    searchWords: 'limit size',
    help: 'The same for chats that are imported as JSON.',
  }),
  integer('JSON_RECORD_MAX_VALUES', 50_000, [500, 10_000_000], {
    name: 'Maximum values in a record',
    searchWords: 'limit size',
    help: 'Maximum number of values in one stored item: a note, a model, a rating, settings, a chat message, an event. Each save writes all of them at once.',
  }),
  integer('JSON_RECORD_MAX_CHARACTERS', 6_291_456, [100_000, 134_217_728], {
    name: 'Maximum characters in a record',
    searchWords: 'limit size',
    help: 'Maximum number of characters in a chat message, or in a chat without its messages, including images. Each save writes all of them at once.',
  }),
  integer('JSON_BODY_MAX_DEPTH', 200, [20, 1000], {
    name: 'Maximum depth of a request',
    help: 'How deeply objects and lists may be nested in a JSON body or a plugin message.',
  }),
  integer('JSON_TEXT_MAX_VALUES', 100_000, [1000, 1_000_000], {
    name: 'Maximum values in JSON kept as text',
    searchWords: 'limit size tools',
    help: 'Maximum number of values in all JSON that one request holds as text, such as the arguments of tool calls. It is parsed in one go.',
  }),
  integer('JSON_TEXT_MAX_DEPTH', 200, [20, 1000], {
    name: 'Maximum depth of JSON kept as text',
    searchWords: 'limit tools',
    help: 'How deeply objects and lists may be nested in JSON that a request holds as text.',
  }),
  integer('JSON_BODY_MAX_SIZE_ANONYMOUS', 64, [16, 1024], {
    name: 'Maximum request size before sign-in',
    help: 'Maximum size of the JSON body, in KiB, of calls that need no account, such as signing in.',
  }),
  integer('REQUEST_MEMORY_PER_ACCOUNT', 256, [1, 65_536], {
    name: 'Request memory per person',
    searchWords: 'limit ram',
    help: 'Memory in MiB that the bodies of one account may take while their calls are under way.',
  }),
  integer('REQUEST_MEMORY_ANONYMOUS', 16, [1, 65_536], {
    name: 'Request memory before sign-in',
    searchWords: 'limit ram',
    help: 'The same for all callers without an account together; each address gets a sixteenth of it.',
  }),
  integer('CHAT_SAVE_MAX_MESSAGES', 5000, [100, 1_000_000], {
    name: 'Maximum messages stored by one call',
    help: 'How many messages of a chat one call may store; a longer chat is stored in several calls, or imported.',
  }),
  integer('CHAT_SAVE_MAX_CHANGES', 3000, [50, 1_000_000], {
    name: 'Maximum changes in one save',
    help: 'How many messages of a stored chat one call may change or add. All of them are written in one transaction that nothing else can interrupt.',
  }),
  integer('MESSAGE_EVENTS_MAX_CHARACTERS', 4_194_304, [1000, 134_217_728], {
    name: 'Maximum length of messages that take events',
    help: 'How long a message may be, in characters, for tools and scripts to still add events to it. Each event reads and writes all of them.',
  }),
  integer('NOTE_MAX_CHARACTERS', 4_194_304, [10_000, 16_777_216], {
    name: 'Maximum length of a note',
    help: 'How many characters a note may have, including images. Each change reads and writes all of them.',
  }),
  integer('WEBSOCKET_MAX_WAITING', 50, [1, 100_000], {
    name: 'Maximum open sockets before sign-in',
    help: 'How many sockets of one address may be open before signing in.',
  }),
  integer('WEBSOCKET_MAX_PER_ACCOUNT', 100, [1, 100_000], {
    name: 'Maximum open windows per person',
    searchWords: 'limit tabs',
    help: 'How many sockets (open windows and scripts) one account may have at the same time.',
  }),
  integer('WEBSOCKET_MAX_FRAME_VALUES', 20_000, [500, 200_000], {
    name: 'Maximum values in a frame of a socket',
    searchWords: 'limit size',
    help: 'Maximum number of values in one frame that a window or a script sends over its socket. It is parsed in one go.',
  }),
  integer('WEBSOCKET_MAX_FRAME_DEPTH', 100, [20, 1000], {
    name: 'Maximum depth of a frame of a socket',
    help: 'How deeply objects and lists may be nested in one such frame.',
  }),
  integer('WEBSOCKET_MAX_EVENT_SIZE', 4, [1, 64], {
    name: 'Maximum size of an event',
    help: 'Maximum size, in MiB, of an event that tools, plugins and scripts send to windows.',
  }),
])

// The largest bodies that each kind of route accepts, in the most expensive shapes: one long text,
// very many values, very many objects.

/** Sends a body and resolves with the status of the reply. */
export type Send = (method: string, path: string, body: string) => Promise<number>

/** Ids of the objects to write to. */
export interface Places {
  readonly chatId: string
  readonly noteId: string
  readonly fileId: string
  readonly knowledgeId: string
}

/** One large body, and the status that shows that it reached its target. */
export interface LargeBody {
  readonly name: string
  readonly expected: number
  send(send: Send, places: Places): Promise<number>
}

const MEGABYTE = 1_000_000
/**
 * The number of values in a body is limited, and these stay below it; an empty object counts twice.
 */
const MOST_NUMBERS = 490_000
const MOST_OBJECTS = 240_000
/** The same for values stored as one piece. */
const STORED_NUMBERS = 49_000
const STORED_OBJECTS = 24_000
const MOST_MEMBERS = 19_000
const MESSAGES = 5000
const CHANGED = 3000

const numbers = (count = STORED_NUMBERS): string => `[${'1,'.repeat(count - 1)}1]`
const objects = (count = STORED_OBJECTS): string => `[${'{},'.repeat(count - 1)}{}]`
const members = (count = MOST_MEMBERS): string =>
  `{${Array.from({ length: count }, (_, place) => `"member ${place}":1`).join(',')}}`
/** Returns a list of objects of the maximum size. */
const wideObjects = (count: number): string =>
  `[${Array.from({ length: count }, () => members()).join(',')}]`

function makeWords(): string {
  const words: string[] = []
  for (let place = 0; place < 170_000; place += 1)
    words.push(`${((place * 7919) % 60_013).toString(36)}${place % 7}`)
  return words.join(' ').slice(0, MEGABYTE)
}
const WORDS = makeWords()

/** Returns text of very many different words, as in code and tables. */
export const longText = (characters: number): string =>
  WORDS.repeat(Math.ceil(characters / MEGABYTE)).slice(0, characters)

const messagesOf = (
  count: number,
  toContent: (place: number) => string,
  toMore: (place: number) => string = () => '',
): string => {
  const each = Array.from({ length: count }, (_, place) => {
    const parent = place === 0 ? 'null' : `"m${place - 1}"`
    return `"m${place}":{"id":"m${place}","role":"user","parentId":${parent},"content":"${toContent(place)}"${toMore(place)}}`
  })
  return `{${each.join(',')}}`
}

const chat = (messages: string, more = ''): string =>
  `{"chat":{"title":"Large","history":{"messages":${messages}}${more}}}`
const ask = (more: string, content = 'Hello'): string =>
  `{"model":"short","messages":[{"role":"user","content":"${content}"}]${more}}`

const post = (
  name: string,
  path: string | ((places: Places) => string),
  body: () => string,
  expected = 200,
): LargeBody => ({
  name,
  expected,
  send: (send, places) => send('POST', typeof path === 'string' ? path : path(places), body()),
})

const chatOf = ({ chatId }: Places): string => `/api/v1/chats/${chatId}?reply=minimal`
const eventOf = ({ chatId }: Places): string => `/api/v1/chats/${chatId}/messages/answer/event`
const noteOf = ({ noteId }: Places): string => `/api/v1/notes/${noteId}/update`

const toTool = (_: unknown, place: number) =>
  `{"type":"function","function":{"name":"tool_${place}","description":"${'words '.repeat(120)}",` +
  '"parameters":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}}'
const TOOLS = Array.from({ length: 1000 }, toTool).join(',')

let round = 0
const unique = (): string => `${(round += 1)}`

const CHATS: LargeBody[] = [
  post('a chat of 5,000 new messages', '/api/v1/chats/new', () =>
    chat(messagesOf(MESSAGES, (place) => `words of message ${place}`)),
  ),
  post('3,000 changed messages in one save', chatOf, () => {
    const word = unique()
    return chat(messagesOf(CHANGED, (place) => `words ${word} of message ${place} `.repeat(20)))
  }),
  post(
    '5,000 changed messages in one save, which is refused',
    chatOf,
    () => chat(messagesOf(MESSAGES, unique)),
    413,
  ),
  post(
    'a chat with 490,000 values, which is refused',
    chatOf,
    () => chat('{}', `,"list":${numbers(MOST_NUMBERS)}`),
    413,
  ),
  post(
    'a chat with 240,000 objects, which is refused',
    chatOf,
    () => chat('{}', `,"files":${objects(MOST_OBJECTS)}`),
    413,
  ),
  post('a chat with 49,000 values', chatOf, () => chat('{}', `,"list":${numbers()}`)),
  post('files of a chat with 24,000 objects', chatOf, () => chat('{}', `,"files":${objects()}`)),
  post('a chat with 2 objects of 19,000 members', chatOf, () =>
    chat('{}', `,"list":${wideObjects(2)}`),
  ),
  post('10 messages of 24,000 objects', chatOf, () =>
    chat(messagesOf(10, unique, () => `,"list":${objects()}`)),
  ),
  post(
    '19 messages of 24,000 objects, which is refused',
    chatOf,
    () => chat(messagesOf(19, unique, () => `,"list":${objects()}`)),
    413,
  ),
  post('a message of 6 MB', chatOf, () =>
    chat(`{"long":{"role":"user","content":"${longText(6 * MEGABYTE)}${unique()}"}}`),
  ),
  post(
    'a message of 60 MB, which is refused',
    chatOf,
    () => chat(`{"long":{"content":"${longText(60 * MEGABYTE)}"}}`),
    413,
  ),
  post('a message with a picture of 6 MB', chatOf, () =>
    chat(
      `{"picture":{"role":"user","files":[{"url":"data:image/png;base64,${'A'.repeat(6 * MEGABYTE)}${unique()}"}]}}`,
    ),
  ),
  post(
    'an import of 5,000 messages',
    '/api/v1/chats/import',
    () => `{"chats":[${chat(messagesOf(MESSAGES, (place) => `words of message ${place}`))}]}`,
  ),
  post(
    'an import of 60 MB in 60 messages',
    '/api/v1/chats/import',
    () => `{"chats":[${chat(messagesOf(60, () => longText(MEGABYTE)))}]}`,
  ),
  post(
    'an event with 240,000 objects, which is refused',
    eventOf,
    () => `{"type":"status","data":{"list":${objects(MOST_OBJECTS)}}}`,
    413,
  ),
  post(
    'an event with 24,000 objects',
    eventOf,
    () => `{"type":"files","data":{"replace":true,"files":${objects()}}}`,
  ),
  post(
    'an event with a text of 4 MB',
    eventOf,
    () => `{"type":"replace","data":{"content":"${longText(4 * MEGABYTE)}"}}`,
  ),
  post(
    'a small event on a message of 4 MB',
    eventOf,
    () => '{"type":"message","data":{"content":"more"}}',
  ),
]

const COMPLETIONS: LargeBody[] = [
  post('a question with 490,000 values', '/api/chat/completions', () =>
    ask(`,"list":${numbers(MOST_NUMBERS)}`),
  ),
  post('a question with 240,000 objects', '/api/chat/completions', () =>
    ask(`,"list":${objects(MOST_OBJECTS)}`),
  ),
  post('a question of 60 MB', '/api/chat/completions', () => ask('', longText(60 * MEGABYTE))),
  post('a question with 60 MB and a field of the gateway', '/api/chat/completions', () =>
    ask(',"features":{}', longText(60 * MEGABYTE)),
  ),
  post(
    '100,000 messages of a question',
    '/api/chat/completions',
    () =>
      `{"model":"short","messages":[${'{"role":"user","content":"x"},'.repeat(100_000)}{"role":"user","content":"x"}]}`,
  ),
  post(
    'a system prompt of 1 MB with variables',
    '/api/chat/completions',
    () =>
      `{"model":"short","messages":[{"role":"system","content":"${longText(MEGABYTE)} {{USER_NAME}} {{CURRENT_DATE}}"},{"role":"user","content":"Hello"}],"variables":{"{{USER_NAME}}":"${longText(1000)}"}}`,
  ),
  post(
    'a system prompt of 1 MB full of variables',
    '/api/chat/completions',
    () =>
      `{"model":"short","params":{"system":"${'{{USER_NAME}} {{x}} '.repeat(50_000)}"},"messages":[{"role":"user","content":"Hello"}],"variables":{"{{USER_NAME}}":"${longText(100)}"}}`,
  ),
  post(
    'a question of 1 MB in a stored chat',
    '/api/chat/completions',
    () =>
      `{"model":"short","stream":true,"parent_id":null,"features":{"memory":true},"messages":[{"role":"user","content":"${longText(MEGABYTE)}"}]}`,
  ),
  post('tokens of 1 MB', '/api/v1/messages/count_tokens', () => ask('', longText(MEGABYTE))),
  post('follow-ups of 1 MB', '/api/v1/tasks/follow_up/completions', () =>
    ask('', longText(MEGABYTE)),
  ),
  post('a question with 1 MB of tool schemas', '/api/chat/completions', () =>
    ask(`,"tools":[${TOOLS}]`),
  ),
  post('a finished conversation with 490,000 values', '/api/chat/completed', () =>
    ask(`,"list":${numbers(MOST_NUMBERS)}`),
  ),
  post('a relayed question with 490,000 values', '/openai/chat/completions', () =>
    ask(`,"list":${numbers(MOST_NUMBERS)}`),
  ),
  post('messages with 240,000 objects', '/api/v1/messages', () =>
    ask(`,"max_tokens":5,"metadata":{"list":${objects(MOST_OBJECTS)}}`),
  ),
  post('messages of 60 MB', '/api/v1/messages', () =>
    ask(',"max_tokens":5', longText(60 * MEGABYTE)),
  ),
  post('tokens of 60 MB', '/api/v1/messages/count_tokens', () => ask('', longText(60 * MEGABYTE))),
  post(
    'responses with 240,000 objects',
    '/openai/responses',
    () => `{"model":"short","input":"Hello","metadata":{"list":${objects(MOST_OBJECTS)}}}`,
  ),
  post(
    'responses of 60 MB',
    '/openai/responses',
    () => `{"model":"short","input":"${longText(60 * MEGABYTE)}"}`,
  ),
  post(
    '10,000 texts to embed',
    '/api/embeddings',
    () => `{"model":"short","input":[${'"x",'.repeat(9999)}"x"]}`,
  ),
  post('a title of 15 MB', '/api/v1/tasks/title/completions', () =>
    ask('', longText(15 * MEGABYTE)),
  ),
  post('a title of 240,000 objects', '/api/v1/tasks/title/completions', () =>
    ask(`,"list":${objects(MOST_OBJECTS)}`),
  ),
  post(
    'an answer of 5.6 MB',
    '/api/chat/completions',
    () =>
      '{"model":"long","parent_id":null,"messages":[{"role":"user","content":"Hello"}],"stream":true}',
  ),
]

const OTHERS: LargeBody[] = [
  post('a note of 1 MB', noteOf, () => `{"data":{"content":{"md":"${longText(MEGABYTE)}"}}}`),
  post('a note of 4 MB', noteOf, () => `{"data":{"content":{"md":"${longText(4 * MEGABYTE)}"}}}`),
  post(
    'a note of 5 MB, which is refused',
    noteOf,
    () => `{"data":{"content":{"md":"${longText(5 * MEGABYTE)}"}}}`,
    413,
  ),
  post(
    'a note with 24,000 objects',
    '/api/v1/notes/create',
    () => `{"title":"New","data":{"list":${objects()}}}`,
  ),
  post(
    'a memory of 20,000 characters',
    '/api/v1/memories/add',
    () => `{"content":"${longText(19_990)}"}`,
  ),
  post(
    'a prompt of 500,000 characters',
    '/api/v1/prompts/create',
    () =>
      `{"command":"c${unique()}","name":"Long","content":"${longText(499_990)}","meta":{"list":${numbers()}}}`,
  ),
  post(
    'a folder with 24,000 objects',
    '/api/v1/folders/',
    () => `{"name":"Large ${unique()}","data":{"list":${objects()}}}`,
  ),
  post(
    'settings of a person with 24,000 objects',
    '/api/v1/users/user/settings/update',
    () => `{"ui":{"list":${objects()}}}`,
  ),
  post(
    'a model with 24,000 objects',
    '/api/v1/models/create',
    () =>
      `{"id":"model ${unique()}","name":"Large","base_model_id":"short","meta":{"list":${objects()}},"params":{}}`,
  ),
  post(
    'a model with a description of 4 MB',
    '/api/v1/models/create',
    () =>
      `{"id":"model ${unique()}","name":"Large","base_model_id":"short","meta":{"description":"${longText(4 * MEGABYTE)}"},"params":{}}`,
  ),
  post('a tool of 1 MB', '/api/v1/tools/create', () => {
    const lines = longText(MEGABYTE).replaceAll(' ', '\\n# ')
    return `{"id":"tool_${unique()}","name":"Large","content":"class Tools:\\n    pass\\n# ${lines}","meta":{"description":"Large"}}`
  }),
  post(
    'an import of settings with 49,000 values, which is refused',
    '/api/v1/configs/import',
    () => `{"config":{"list":${numbers()}}}`,
    400,
  ),
  post('an import of 1,000 models', '/api/v1/models/import', () => {
    const toModel = (_: unknown, place: number) =>
      `{"id":"import ${place}","name":"M","base_model_id":"short","meta":{},"params":{}}`
    return `{"models":[${Array.from({ length: 1000 }, toModel).join(',')}]}`
  }),
  post(
    'a rating with a chat of 8 MB',
    '/api/v1/evaluations/feedback',
    () => `{"type":"rating","data":{"rating":1},"snapshot":{"chat":"${longText(8 * MEGABYTE)}"}}`,
  ),
  post(
    'a rating with a chat of 490,000 values',
    '/api/v1/evaluations/feedback',
    () => `{"type":"rating","data":{"rating":1},"snapshot":{"chat":${numbers(MOST_NUMBERS - 10)}}}`,
  ),
  post(
    'text of 5 MB in a file',
    ({ fileId }) => `/api/v1/files/${fileId}/data/content/update`,
    () => `{"content":"${longText(5 * MEGABYTE)}"}`,
  ),
  post(
    'a folder of 100,000 files',
    ({ knowledgeId }) => `/api/v1/knowledge/${knowledgeId}/sync/diff`,
    () => {
      const toFile = (_: unknown, place: number) =>
        `{"path":"folder ${place % 1000}/f","filename":"f${place}","checksum":"x"}`
      return `{"files":[${Array.from({ length: 100_000 }, toFile).join(',')}]}`
    },
  ),
]

export const LARGE_BODIES: readonly LargeBody[] = [...CHATS, ...COMPLETIONS, ...OTHERS]

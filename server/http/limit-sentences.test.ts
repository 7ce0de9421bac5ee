import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openSockets, sendFrames } from '../testing/refused-sockets.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

/** Every limit at its smallest, so that each can be reached by itself. */
const LIMITS = {
  JSON_BODY_MAX_VALUES: '1000',
  JSON_IMPORT_MAX_VALUES: '2000',
  JSON_RECORD_MAX_VALUES: '500',
  JSON_RECORD_MAX_CHARACTERS: '100000',
  NOTE_MAX_CHARACTERS: '10000',
  JSON_BODY_MAX_DEPTH: '20',
  JSON_BODY_MAX_SIZE_ANONYMOUS: '16',
  REQUEST_MEMORY_PER_ACCOUNT: '3',
  REQUEST_MEMORY_ANONYMOUS: '1',
  CHAT_SAVE_MAX_MESSAGES: '100',
  CHAT_SAVE_MAX_CHANGES: '50',
  MESSAGE_EVENTS_MAX_CHARACTERS: '1000',
  JSON_TEXT_MAX_VALUES: '1000',
  JSON_TEXT_MAX_DEPTH: '20',
  WEBSOCKET_MAX_EVENT_SIZE: '1',
  WEBSOCKET_MAX_FRAME_VALUES: '500',
  WEBSOCKET_MAX_FRAME_DEPTH: '20',
  WEBSOCKET_MAX_PER_ACCOUNT: '2',
  WEBSOCKET_MAX_WAITING: '3',
  SIGNIN_TRIES: '5',
  SIGNUP_TRIES_PER_ADDRESS: '4',
}
const MEBIBYTE = 1024 * 1024
const COMPLETIONS = '/api/chat/completions'
const SIGN_IN = '/api/v1/auths/signin'

let conversation: Conversation
let member: string
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ...LIMITS, ENABLE_API_KEYS: 'true', LOG_LEVEL: 'silent' },
  })
  member = await conversation.addUser('Mallory')
  // Creating the first account disables sign-up.
  await conversation.server.context.settings.update({ ENABLE_SIGNUP: true })
})
afterAll(() => conversation.close())

const asMember = () => ({ Authorization: `Bearer ${member}` })
const closedBy = (...frames: readonly string[]) =>
  sendFrames(conversation.server.url, asMember(), ...frames)
const from = (address: string) => ({ 'X-Forwarded-For': address })

async function send(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(conversation.server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
  return `${response.status} ${await response.text()}`
}

/** Makes several calls in sequence; returns the reply to the last one. */
async function sendTimes(times: number, send: () => Promise<string>): Promise<string> {
  for (let count = 1; count < times; count += 1) await send()
  return send()
}

/** Starts calls whose bodies do not end; returns the reply to the first one that is refused. */
async function hold(
  path: string,
  size: number,
  callers: readonly Record<string, string>[],
): Promise<string> {
  const { hostname, port } = new URL(conversation.server.url)
  const replies = callers.map(async (headers) => {
    const socket: Socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    const all = {
      Host: `${hostname}:${port}`,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
      ...headers,
    }
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${(size + 1).toString(16)}\r\n"${'x'.repeat(size)}\r\n`,
    )
    const [reply] = (await once(socket, 'data')) as [Buffer]
    return String(reply).replace(/^HTTP\/1.1 (\d+)[^]*?\r\n\r\n/, '$1 ')
  })
  return Promise.race(replies)
}

/** Asks with reasoning kept as text that holds this JSON. */
const askWithText = (json: string): Promise<string> => {
  const reasoning = { encrypted_content: Buffer.from(json).toString('base64') }
  const question = { role: 'user', content: 'Hello' }
  const input = [question, { type: 'reasoning', summary: [], ...reasoning }, question]
  return send('/api/v1/responses', JSON.stringify({ model: 'text', input }), asMember())
}

const toChat = (messages: number) =>
  JSON.stringify({
    chat: {
      history: {
        messages: Object.fromEntries(
          Array.from({ length: messages }, (_, index) => [`m${index}`, { role: 'user' }]),
        ),
      },
    },
  })

async function sendEvent(data: object): Promise<string> {
  const { chat_id, id } = await conversation.createChat('Hello', { token: member })
  return send(
    `/api/v1/chats/${chat_id}/messages/${id}/event`,
    JSON.stringify({ type: 'status', data }),
    asMember(),
  )
}

const LIST = Array.from({ length: 600 }, () => 1)
const store = (path: string, body: object): Promise<string> =>
  send(`/api/v1/${path}`, JSON.stringify(body), asMember())
const storeMessage = (message: object): Promise<string> =>
  store('chats/new', { chat: { history: { messages: { m: message } } } })

const WRONG = JSON.stringify({ email: 'nobody@example.com', password: 'x' })

/**
 * Inputs that exceed a limit, and what the refusal has to name: the status, the amount and the
 * setting, or that there is none.
 */
const REFUSALS: readonly [
  what: string,
  provoke: () => Promise<string>,
  status: number,
  ...named: [amount: string, setting: string],
][] = [
  [
    'values of a body',
    () => send(COMPLETIONS, `[${'1,'.repeat(1000)}1]`, asMember()),
    413,
    '1000 values',
    'JSON_BODY_MAX_VALUES',
  ],
  [
    'values of an import',
    () => send('/api/v1/chats/import', `[${'1,'.repeat(2000)}1]`, asMember()),
    413,
    '2000 values',
    'JSON_IMPORT_MAX_VALUES',
  ],
  [
    'values of a note',
    () => store('notes/create', { title: 'x', data: { list: LIST } }),
    413,
    '500 values',
    'JSON_RECORD_MAX_VALUES',
  ],
  [
    'values of settings',
    () => store('users/user/settings/update', { list: LIST }),
    413,
    '500 values',
    'JSON_RECORD_MAX_VALUES',
  ],
  [
    'values of an event',
    () => sendEvent({ list: LIST }),
    413,
    '500 values',
    'JSON_RECORD_MAX_VALUES',
  ],
  [
    'values of a message',
    () => storeMessage({ role: 'user', list: LIST }),
    413,
    '500 values',
    'JSON_RECORD_MAX_VALUES',
  ],
  [
    'values of a chat',
    () => store('chats/new', { chat: { list: LIST } }),
    413,
    '500 values',
    'JSON_RECORD_MAX_VALUES',
  ],
  [
    'values of a message after several events',
    async () => {
      const { chat_id, id } = await conversation.createChat('Hello', { token: member })
      const event = JSON.stringify({ type: 'status', data: { list: LIST.slice(0, 300) } })
      const toMessage = () =>
        send(`/api/v1/chats/${chat_id}/messages/${id}/event`, event, asMember())
      await toMessage()
      return toMessage()
    },
    413,
    '500 values',
    'JSON_RECORD_MAX_VALUES',
  ],
  [
    'characters of a message',
    () => storeMessage({ role: 'user', content: 'x'.repeat(100_001) }),
    413,
    '100000 characters',
    'JSON_RECORD_MAX_CHARACTERS',
  ],
  [
    'characters of a note',
    () => store('notes/create', { title: 'x', data: { content: { md: 'x'.repeat(10_000) } } }),
    413,
    'may have 10000',
    'NOTE_MAX_CHARACTERS',
  ],
  [
    'changed messages of a chat',
    async () => {
      const stored = JSON.parse((await store('chats/new', { chat: {} })).slice(4)) as { id: string }
      return send(`/api/v1/chats/${stored.id}`, toChat(51), asMember())
    },
    413,
    '51 messages',
    'CHAT_SAVE_MAX_CHANGES',
  ],
  [
    'levels of a body',
    () => send(COMPLETIONS, `${'['.repeat(21)}${']'.repeat(21)}`, asMember()),
    413,
    '20 levels',
    'JSON_BODY_MAX_DEPTH',
  ],
  [
    'bytes of a body without an account',
    () => send(SIGN_IN, JSON.stringify({ x: 'x'.repeat(17_000) })),
    413,
    '16 KiB',
    'JSON_BODY_MAX_SIZE_ANONYMOUS',
  ],
  [
    'bytes of a body with an account',
    () =>
      send(
        '/api/v1/users/user/settings/update',
        JSON.stringify({ x: 'x'.repeat(MEBIBYTE) }),
        asMember(),
      ),
    413,
    '1048576 bytes',
    'This limit is fixed',
  ],
  [
    'bytes under way of an account',
    () => hold(COMPLETIONS, MEBIBYTE, [asMember(), asMember(), asMember()]),
    429,
    '3 MiB',
    'REQUEST_MEMORY_PER_ACCOUNT',
  ],
  [
    'bytes under way of an address',
    () =>
      hold(
        SIGN_IN,
        15_000,
        Array.from({ length: 5 }, () => from('192.0.2.1')),
      ),
    429,
    '64 KiB, a sixteenth',
    'REQUEST_MEMORY_ANONYMOUS',
  ],
  [
    'bytes under way of everybody without an account',
    () =>
      hold(
        SIGN_IN,
        15_000,
        Array.from({ length: 72 }, (_, index) => from(`198.51.100.${index >> 2}`)),
      ),
    503,
    '1 MiB',
    'REQUEST_MEMORY_ANONYMOUS',
  ],
  [
    'messages of a chat',
    () => send('/api/v1/chats/new', toChat(101), asMember()),
    413,
    'one call may store 100',
    'CHAT_SAVE_MAX_MESSAGES',
  ],
  [
    'bytes of an event',
    () => sendEvent({ description: 'x'.repeat(MEBIBYTE) }),
    413,
    '1 MiB',
    'WEBSOCKET_MAX_EVENT_SIZE',
  ],
  [
    'characters of the events of a message',
    () => sendEvent({ description: 'x'.repeat(1000) }),
    413,
    '1000 characters',
    'MESSAGE_EVENTS_MAX_CHARACTERS',
  ],
  [
    'sockets of an account',
    () => openSockets(conversation.server.url, 3, asMember()),
    4429,
    '2 sockets',
    'WEBSOCKET_MAX_PER_ACCOUNT',
  ],
  [
    'sockets that wait for a sign-in',
    () => openSockets(conversation.server.url, 4, {}),
    4429,
    '3 sockets',
    'WEBSOCKET_MAX_WAITING',
  ],
  [
    'values of JSON kept as text',
    () => askWithText(JSON.stringify(Array(1001).fill({}))),
    413,
    '1000 values',
    'JSON_TEXT_MAX_VALUES',
  ],
  [
    'levels of JSON kept as text',
    () => askWithText('['.repeat(21) + ']'.repeat(21)),
    413,
    '20 levels',
    'JSON_TEXT_MAX_DEPTH',
  ],
  [
    'values of a frame',
    () => closedBy(JSON.stringify({ type: 'ping', extra: Array(501).fill(0) })),
    1009,
    '500 values',
    'WEBSOCKET_MAX_FRAME_VALUES',
  ],
  [
    'levels of a frame',
    () => closedBy(`{"type":"ping","extra":${'['.repeat(21)}${']'.repeat(21)}}`),
    1009,
    '20 levels',
    'WEBSOCKET_MAX_FRAME_DEPTH',
  ],
  [
    'frames of a socket',
    () => closedBy(...Array<string>(250).fill('{"type":"ping"}')),
    1008,
    '100 frames in a second',
    'This limit is fixed',
  ],
  [
    'failed sign-ins',
    () => sendTimes(6, () => send(SIGN_IN, WRONG, from('203.0.113.1'))),
    429,
    '5 failed ones in 180 seconds',
    'SIGNIN_TRIES',
  ],
  [
    'sign-ups',
    () =>
      sendTimes(5, () =>
        send(
          '/api/v1/auths/signup',
          JSON.stringify({
            name: 'Ada',
            email: 'ada@example.com',
            password: 'correct horse battery',
          }),
          from('203.0.113.2'),
        ),
      ),
    429,
    '4 in 180 seconds',
    'SIGNUP_TRIES_PER_ADDRESS',
  ],
  [
    'calls with a key that is not valid',
    () =>
      sendTimes(61, async () => {
        const call = () => send(COMPLETIONS, '{}', { Authorization: `Bearer sk-${'0'.repeat(64)}` })
        const replies = await Promise.all(Array.from({ length: 20 }, call))
        return replies.at(-1)!
      }),
    429,
    '1200 in 60 seconds',
    'fixed',
  ],
]

test.each(REFUSALS)(
  'too many %s are refused with the amount and the setting',
  async (_, provoke, status, ...[amount, setting]) => {
    const said = await provoke()
    expect([said.slice(0, 3), said]).toEqual([
      String(status).slice(0, 3),
      expect.stringContaining(amount) as string,
    ])
    expect(said).toContain(setting)
  },
)

test('every setting of the table is named by a refusal, with the amount that was set', () => {
  expect(
    new Set(REFUSALS.map(([, , , , setting]) => setting).filter((name) => name in LIMITS)),
  ).toEqual(new Set(Object.keys(LIMITS)))
})

import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { io, type Socket } from 'socket.io-client'
import { WebSocket } from 'ws'
import { SocketIo, type SocketIoDependencies } from './index.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

interface Heard {
  readonly chat_id: string
  readonly message_id: string
  readonly data: { readonly type: string; readonly data: Record<string, unknown> }
}

let conversation: Conversation
let member: string
/** Continues the answer that is paused halfway. */
let goOn: (() => void) | null = null
const proceed = async (): Promise<void> => {
  await expect.poll(() => goOn).not.toBeNull()
  goOn!()
  goOn = null
}
beforeAll(async () => {
  conversation = await startConversation({
    upstream: {
      script: async ({ messages, stream }) => {
        const text = String(messages.at(-1)?.content)
        if (text.includes('fail')) return { status: 500, body: '{"error":{"message":"broken"}}' }
        if (text.includes('wait')) await new Promise<void>((resolve) => (goOn = resolve))
        if (!stream) return { steps: [{ kind: 'content', text: '{"title":"A named chat"}' }] }
        return {
          steps: [
            { kind: 'content', text: 'One ' },
            { kind: 'wait', milliseconds: 200 },
            { kind: 'content', text: 'two.' },
          ],
        }
      },
    },
  })
  member = await conversation.addUser('Bob')
})
afterAll(() => conversation.close())

function connect(token: unknown, options: object = {}): { socket: Socket; heard: Heard[] } {
  const socket = io(conversation.server.url, {
    path: '/ws/socket.io',
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnection: false,
    ...options,
  })
  const heard: Heard[] = []
  socket.on('events', (event: Heard) => heard.push(event))
  onTestFinished(() => void socket.disconnect())
  return { socket, heard }
}

async function connected(token: unknown) {
  const client = connect(token)
  await new Promise<void>((resolve, reject) => {
    client.socket.once('connect', resolve)
    client.socket.once('connect_error', reject)
  })
  // Authentication finishes a moment after the connection, as no client is refused; a reply arrives
  // after it.
  await client.socket.emitWithAck('heartbeat', {})
  return client
}

const typesOf = (heard: readonly Heard[]): string[] => heard.map(({ data }) => data.type)

async function ask(question: string, sessionId: string | undefined, more: object = {}) {
  const chat = await conversation.createChat(question)
  const reply = await conversation.complete({
    model: 'text',
    stream: true,
    messages: [{ role: 'user', content: question }],
    chat_id: chat.chat_id,
    id: chat.id,
    session_id: sessionId,
    ...more,
  })
  return { chat, reply: (await reply.json()) as Record<string, unknown> }
}

test('a turn is told in the words of the reference, its begin first and its end last', async () => {
  const { socket, heard } = await connected(conversation.token)
  const { chat, reply } = await ask('Hello', socket.id, {
    background_tasks: { title_generation: true },
  })
  expect(reply).toMatchObject({ status: true, chat_id: chat.chat_id })
  expect(reply['task_ids']).toHaveLength(1)
  await expect
    .poll(() => heard.at(-1)?.data)
    .toEqual({ type: 'chat:active', data: { active: false } })
  expect(heard[0]).toEqual({
    chat_id: chat.chat_id,
    message_id: chat.id,
    data: { type: 'chat:active', data: { active: true } },
  })
  const told = heard
    .filter(({ data }) => data.type === 'chat:completion')
    .map(({ data }) => data.data)
  expect(told[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] })
  expect(told.filter((data) => 'content' in data && !('done' in data))).toEqual([
    { content: 'One ' },
    { content: 'One two.' },
  ])
  expect(told.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  expect(told.at(-1)).toMatchObject({ done: true, content: 'One two.', title: 'New Chat' })
  expect(told.at(-1)!['output']).toMatchObject([{ content: [{ text: 'One two.' }] }])
  const title = heard.find(({ data }) => data.type === 'chat:title')
  expect([title?.message_id, title?.data.data]).toEqual([chat.id, 'A named chat'])
  // Sent also without filters, after the end of the text.
  const outlet = heard.findIndex(({ data }) => data.type === 'chat:outlet')
  const messages = [{ id: chat.id, role: 'assistant', content: 'One two.' }]
  expect(heard[outlet]).toMatchObject({ message_id: chat.id, data: { data: { messages } } })
  expect(heard[outlet - 1]?.data.data).toMatchObject({ done: true })
})

test('who joins in the middle gets whole texts, and an answer goes on when its client leaves', async () => {
  const first = await connected(conversation.token)
  const { chat } = await ask('Please wait', first.socket.id)
  first.socket.disconnect()
  await proceed()
  await expect.poll(async () => (await conversation.readMessage(chat)).content).toBe('One ')
  const late = await connected(conversation.token)
  expect((await conversation.finished(chat)).content).toBe('One two.')
  await expect.poll(() => late.heard.filter(({ data }) => 'done' in data.data).length).toBe(1)
  const texts = late.heard.flatMap(({ data }) =>
    typeof data.data['content'] === 'string' ? [data.data['content']] : [],
  )
  expect(new Set(texts)).toEqual(new Set(['One two.']))
})

test('a failure and a stop are told, and the end of the work after them', async () => {
  const { socket, heard } = await connected(conversation.token)
  await ask('Please fail', socket.id)
  await expect
    .poll(() => typesOf(heard))
    .toEqual(['chat:active', 'chat:message:error', 'chat:tasks:cancel', 'chat:active'])
  heard.length = 0
  const { chat } = await ask('Please wait', socket.id)
  await expect.poll(() => goOn).not.toBeNull()
  await conversation.server.call('POST', `/api/tasks/chat/${chat.chat_id}/stop`, {
    token: conversation.token,
  })
  await expect
    .poll(() => typesOf(heard))
    .toEqual(['chat:active', 'chat:tasks:cancel', 'chat:active'])
  await proceed()
})

test('nobody is refused for a bad token, and nothing is told to who has none', async () => {
  const strangers = await Promise.all(
    [undefined, '', null, 7, {}, 'nonsense'].map((token) => connected(token)),
  )
  const other = await connected(member)
  const own = await connected(conversation.token)
  const { chat } = await ask('Hello again', own.socket.id)
  await conversation.finished(chat)
  await expect
    .poll(() => typesOf(own.heard).filter((type) => type === 'chat:active'))
    .toHaveLength(2)
  for (const { heard } of [...strangers, other]) expect(heard).toEqual([])
  const [stranger] = strangers
  expect(
    await stranger!.socket.emitWithAck('user-join', { auth: { token: 'bad' } }),
  ).toBeUndefined()
  const joined = await stranger!.socket.emitWithAck('user-join', {
    auth: { token: conversation.token },
  })
  expect(joined).toEqual({ id: expect.any(String), name: 'Ada' })
  const { chat: next } = await ask('Hello once more', stranger!.socket.id)
  await conversation.finished(next)
  await expect.poll(() => stranger!.heard.length).toBeGreaterThan(3)
})

test('an account that waits for approval is told who it is, and nothing else', async () => {
  const waiting = await conversation.addUser('Wendy', 'pending')
  const { socket, heard } = await connected(waiting)
  const joined = await socket.emitWithAck('user-join', { auth: { token: waiting } })
  expect(joined).toEqual({ id: expect.any(String), name: 'Wendy' })
  const own = await connected(conversation.token)
  const { chat } = await ask('Hello beside a stranger', socket.id)
  await conversation.finished(chat)
  await expect.poll(() => typesOf(own.heard)).toContain('chat:completion')
  expect(heard).toEqual([])
})

test('a client that leaves its namespace is not kept connected', async () => {
  const url = `${conversation.server.url.replace('http', 'ws')}/ws/socket.io/?EIO=4&transport=websocket`
  const socket = new WebSocket(url)
  onTestFinished(() => socket.terminate())
  const packets: string[] = []
  socket.on('message', (data: Buffer) => packets.push(data.toString()))
  const received = async (start: string) =>
    await expect.poll(() => packets.some((packet) => packet.startsWith(start))).toBe(true)
  await received('0{')
  socket.send(`40${JSON.stringify({ token: conversation.token })}`)
  await received('40{')
  socket.send('420["heartbeat",{}]')
  await received('430[]')
  socket.send('41')
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED)
})

test('a call is answered with what the client acknowledges, and by its own person alone', async () => {
  const { socket } = await connected(conversation.token)
  const { events } = conversation.server.context
  const { id: userId } = (await socket.emitWithAck('user-join', {
    auth: { token: conversation.token },
  })) as { id: string }
  const answers: unknown[] = [[], [null], ['yes'], [false], ['one', 'two']]
  socket.on('events', (event: Heard, acknowledge?: (...values: unknown[]) => void) => {
    if (event.data.type === 'input') acknowledge?.(...(answers.shift() as unknown[]))
    if (event.data.type === 'confirmation') acknowledge?.(true)
    if (event.data.type === 'execute') socket.disconnect()
  })
  const place = { chat_id: 'a', message_id: 'b' }
  const call = (type: 'input' | 'execute', as = userId) =>
    events.call(socket.id!, as, { ...place, data: { type, data: {} } }, { timeoutMs: 5000 })
  for (const expected of [null, null, 'yes', false, ['one', 'two']])
    expect(await call('input')).toEqual(expected)
  const approval = {
    type: 'tool:approval',
    data: { call_id: '1', name: 'erase', arguments: { path: '/' } },
  } as const
  expect(
    await events.call(socket.id!, userId, { ...place, data: approval }, { timeoutMs: 5000 }),
  ).toEqual({ decision: 'allow', scope: 'once' })
  expect(events.hasSession(socket.id!, 'somebody else')).toBe(false)
  await expect(call('input', 'somebody else')).rejects.toThrow('no longer connected')
  expect(await call('execute')).toEqual({ error: 'Client session disconnected.' })
})

test('events of channels carry the record of the channel, and new texts the place of the message', async () => {
  const { server, token } = conversation
  await server.context.settings.update({ ENABLE_CHANNELS: true })
  const post = async (path: string, body: object) => {
    const reply = await server.call('POST', `/api/v1/${path}`, { token, body })
    expect(reply.status, path).toBe(200)
    return (await reply.json()) as { id: string }
  }
  const { socket, heard } = await connected(member)
  const own = await connected(token)
  const told: Record<string, unknown>[] = []
  socket.on('events:channel', (event: Record<string, unknown>) => told.push(event))
  const bob = (await socket.emitWithAck('user-join', { auth: { token: member } })) as { id: string }
  const group = { type: 'group', name: 'Plans', user_ids: [bob.id] }
  const { id: channel } = await post('channels/create', group)
  own.socket.emit('events:channel', {
    channel_id: channel,
    message_id: null,
    data: { type: 'typing', data: { typing: true } },
  })
  await own.socket.emitWithAck('heartbeat', {})
  await post(`channels/${channel}/messages/post`, { content: 'Hello', temp_id: 'one' })
  await expect
    .poll(() => told.map(({ data }) => (data as { type: string }).type))
    .toEqual(['channel:created', 'typing', 'message'])
  expect(told[1]).not.toHaveProperty('channel')
  expect(told[2]).toMatchObject({
    channel_id: channel,
    channel: { id: channel, name: 'plans', type: 'group' },
    user: { name: 'Ada' },
    data: { data: { content: 'Hello', temp_id: 'one' } },
  })
  expect(heard).toEqual([])
  const chat = await conversation.createChat('Hello')
  await post(`chats/${chat.chat_id}/messages/${chat.id}`, { content: 'New text' })
  await expect
    .poll(() => own.heard.find(({ data }) => data.type === 'chat:message')?.data.data)
    .toEqual({ chat_id: chat.chat_id, message_id: chat.id, content: 'New text' })
})

test('a sign-out closes the clients of its session', async () => {
  const { token } = (await (
    await conversation.server.call('POST', '/api/v1/auths/signin', {
      body: { email: 'bob@example.com', password: 'correct horse battery' },
    })
  ).json()) as { token: string }
  const { socket } = await connected(token)
  await conversation.server.call('POST', '/api/v1/auths/signout', { token })
  await expect.poll(() => socket.connected).toBe(false)
})

test('a chat is marked as read by its owner alone, and every other window is told', async () => {
  const { server, token } = conversation
  const { chat_id: chatId } = await conversation.createChat('Hello')
  const readAt = async () => {
    const reply = await server.call('GET', '/api/v1/chats/', { token })
    const chats = (await reply.json()) as { id: string; last_read_at: number | null }[]
    return chats.find(({ id }) => id === chatId)!.last_read_at
  }
  const mark = { chat_id: chatId, data: { type: 'last_read_at' } }
  const stranger = await connected(member)
  expect(await stranger.socket.emitWithAck('events:chat', mark)).toBeUndefined()
  const nobody = await connected(null)
  expect(await nobody.socket.emitWithAck('events:chat', mark)).toBeUndefined()
  expect(await readAt()).toBeNull()
  const { socket } = await connected(token)
  const window = await conversation.openSocket()
  const before = Math.floor(Date.now() / 1000)
  const other = { ...mark, data: { type: 'typing' } }
  expect(await socket.emitWithAck('events:chat', other)).toBeUndefined()
  expect(await readAt()).toBeNull()
  expect(await socket.emitWithAck('events:chat', mark)).toBeUndefined()
  expect(await readAt()).toBeGreaterThanOrEqual(before)
  expect((await window.event('chat:list')).data.data).toMatchObject({ reason: 'read' })
  expect(await socket.emitWithAck('events:chat', { ...mark, chat_id: 'nowhere' })).toBeUndefined()
  expect((await server.call('GET', `/api/v1/chats/${chatId}`, { token })).status).toBe(200)
})

test('what is no event of the reference is ignored, and one client cannot send without end', async () => {
  const { socket } = await connected(conversation.token)
  socket.emit('nonsense', { deep: [{}] })
  socket.emit('events:channel', { channel_id: 'nowhere' })
  socket.emit('user-join')
  expect(await socket.emitWithAck('join-channels', { auth: {} })).toBeUndefined()
  for (let count = 0; count < 300; count += 1) socket.emit('heartbeat', {})
  await expect.poll(() => socket.connected).toBe(false)
  const large = await connected(conversation.token)
  large.socket.emit('usage', { model: 'x'.repeat(1_100_000) })
  await expect.poll(() => large.socket.connected).toBe(false)
})

test('other transports and namespaces are refused as the reference does', async () => {
  const get = async (query: string) => {
    const reply = await fetch(`${conversation.server.url}/ws/socket.io/?${query}`)
    return [reply.status, await reply.json()]
  }
  for (const query of ['EIO=4&transport=polling', 'EIO=3&transport=websocket', 'EIO=4', ''])
    expect(await get(query)).toEqual([400, 'Invalid transport'])
  expect(await get('EIO=4&transport=websocket')).toEqual([
    400,
    { detail: 'Invalid WebSocket upgrade request' },
  ])
  const { socket } = connect(conversation.token, { path: '/ws/other' })
  await expect(
    new Promise((_, reject) => void socket.once('connect_error', reject)),
  ).rejects.toBeTruthy()
})

test('where websockets are switched off, long polling carries the same and upgrades are refused', async () => {
  const other = await startConversation({ environment: { ENABLE_WEBSOCKET_SUPPORT: 'false' } })
  onTestFinished(() => other.close())
  const options = { path: '/ws/socket.io', auth: { token: other.token }, reconnection: false }
  const polling = io(other.server.url, { ...options, transports: ['polling'], forceNew: true })
  onTestFinished(() => void polling.disconnect())
  const heard: Heard[] = []
  polling.on('events', (event: Heard) => heard.push(event))
  expect(await polling.emitWithAck('user-join', { auth: { token: other.token } })).toMatchObject({
    name: 'Ada',
  })
  const chat = await other.createChat('Hello')
  await other.complete({
    model: 'text',
    messages: [{ role: 'user', content: 'Hello' }],
    chat_id: chat.chat_id,
    id: chat.id,
    session_id: polling.id,
  })
  await expect.poll(() => typesOf(heard).at(-1)).toBe('chat:active')
  const refused = io(other.server.url, { ...options, transports: ['websocket'], forceNew: true })
  onTestFinished(() => void refused.disconnect())
  await expect(
    new Promise((_, reject) => void refused.once('connect_error', reject)),
  ).rejects.toBeTruthy()
})

test('long polling keeps no more clients of an address that are not signed in than sockets', async () => {
  const environment = { ENABLE_WEBSOCKET_SUPPORT: 'false', WEBSOCKET_MAX_WAITING: '2' }
  const other = await startConversation({ environment })
  onTestFinished(() => other.close())
  const open = async (query = '') =>
    await fetch(`${other.server.url}/ws/socket.io/?EIO=4&transport=polling${query}`)
  // A handshake that fails takes no place.
  for (const query of ['&EIO=3', '&sid=unknown']) expect((await open(query)).status).toBe(400)
  const [first] = (await Promise.all([open(), open()])) as [Response, Response]
  const { sid } = JSON.parse((await first.text()).slice(1)) as { sid: string }
  const refused = await open()
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { detail: expect.stringContaining('WEBSOCKET_MAX_WAITING') },
  ])
  const post = async (body: string) =>
    await fetch(`${other.server.url}/ws/socket.io/?EIO=4&transport=polling&sid=${sid}`, {
      method: 'POST',
      body,
    })
  await post(`40${JSON.stringify({ token: other.token })}`)
  await expect.poll(async () => (await open()).status).toBe(200)
})

test('long polling is refused in words where several gateways share the database', async () => {
  const { context } = conversation.server
  const parts = {
    ...context,
    config: { hasSocketIoWebsockets: false },
    events: { attach: () => undefined },
  } as unknown as SocketIoDependencies
  const request = { url: '/ws/socket.io/?EIO=4&transport=polling' } as IncomingMessage
  const socketIo = new SocketIo({ ...parts, live: { replicas: { isAlone: false } } })
  await expect(socketIo.handleRequest(request, {} as ServerResponse)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/several share this database/),
  })
})

test('a gateway that stops ends its clients, those nobody signed in on too', async () => {
  const other = await startConversation()
  const options = { path: '/ws/socket.io', transports: ['websocket'], reconnection: false }
  const clients = [{ token: other.token }, {}].map((auth) =>
    io(other.server.url, { ...options, auth, forceNew: true }),
  )
  for (const client of clients) await client.emitWithAck('heartbeat', {})
  await other.close()
  for (const client of clients) await expect.poll(() => client.connected).toBe(false)
})

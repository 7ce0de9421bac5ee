import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WebSocket } from 'ws'
import { expect, it, onTestFinished } from 'vitest'
import type { Webhook } from '#contract/webhooks.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startConversation } from '../testing/start-conversation.ts'
import { startGatewayProcess } from '../testing/start-process.ts'
import { startReceiver } from '../testing/start-receiver.ts'
import { startTestServer } from '../testing/start-server.ts'

const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

async function startOpenReceiver() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

it('the address of the gateway hears of people who sign up, not of those an administrator adds', async () => {
  const receiver = await startOpenReceiver()
  const server = await startTestServer({
    environment: { WEBHOOK_URL: receiver.url, DEFAULT_USER_ROLE: 'user' },
  })
  onTestFinished(() => server.close())
  const root = await server.signUp('Root')
  await server.context.settings.update({ ENABLE_SIGNUP: true })
  await server.call('POST', '/api/v1/auths/add', {
    token: root,
    body: { ...ACCOUNT, role: 'user' },
  })
  await server.signUp('Bob')
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(
    receiver.received
      .map(({ body }) => body['user'])
      .toSorted((one, two) => JSON.stringify(one).localeCompare(JSON.stringify(two))),
  ).toEqual([
    { email: 'bob@example.com', name: 'Bob' },
    { email: 'root@example.com', name: 'Root' },
  ])
})

it('a person hears of an answer while no window of theirs has the focus, with the title it was given', async () => {
  const receiver = await startOpenReceiver()
  const test = await startConversation({
    environment: {
      ENABLE_USER_WEBHOOKS: 'true',
      WEB_FETCH_ALLOWED_HOSTS: receiver.url.slice('http://'.length),
    },
  })
  onTestFinished(() => test.close())
  const { server, token } = test
  const own = async () =>
    (await (await server.call('GET', '/api/v1/webhooks/own', { token })).json()) as Webhook
  const saved = await server.call('POST', '/api/v1/webhooks/own', {
    token,
    body: { url: receiver.url, secret: 'x'.repeat(20) },
  })
  expect(await saved.json()).toMatchObject({ url: receiver.url, has_secret: true })
  const ask = async () => {
    const chat = await test.createChat('Hello?', { title: 'Whales' })
    await test.complete({
      model: 'text',
      chat_id: chat.chat_id,
      id: chat.id,
      stream: false,
      messages: [{ role: 'user', content: 'Hello?' }],
    })
    return { ...chat, ...(await test.finished(chat)) }
  }
  const first = await ask()
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]!.body).toMatchObject({
    event: 'chat_response',
    chat: { id: first.chat_id, title: 'Whales', last_message: first.content },
    action: 'chat',
  })
  await expect
    .poll(own)
    .toMatchObject({ waiting: 0, last_result: { delivered: true, event: 'chat_response' } })

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve) => socket.once('message', resolve))
  socket.send(JSON.stringify({ type: 'focus', focused: true }))
  const { users, events } = server.context
  await expect.poll(async () => events.isFocused((await users.first())!.id)).toBe(true)
  await ask()
  expect((await own()).waiting).toBe(0)
  expect(receiver.received).toHaveLength(1)

  socket.send(JSON.stringify({ type: 'focus', focused: false }))
  await expect.poll(async () => events.isFocused((await users.first())!.id)).toBe(false)
  await ask()
  await expect.poll(() => receiver.received.length).toBe(2)
})

it('people have no webhook of their own unless an administrator allows it', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const token = await server.signUp('Root')
  expect((await server.call('GET', '/api/v1/webhooks/own', { token })).status).toBe(403)
  expect((await server.call('POST', '/api/v1/webhooks/own/test', { token })).status).toBe(403)
})

async function signUp(url: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/api/v1/auths/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ACCOUNT),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { token: string }).token
}

it(
  'a kill between an event and its delivery loses none, and what is sent again has the same id',
  { timeout: 120_000 },
  async () => {
    const receiver = await startOpenReceiver()
    receiver.answer(() => undefined)
    const dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-webhooks-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const environment = {
      DATA_DIR: dataDir,
      // URLs of chat services are secrets themselves.
      WEBHOOK_URL: `${receiver.url}/hooks/planted-in-the-address`,
      WEBHOOK_SECRET: 'whsec_c2VjcmV0IG9mIHRoZSByZWNlaXZlcg==',
      LOG_LEVEL: 'debug',
    }
    let output = ''
    for (const isLast of [false, false, true]) {
      if (isLast) receiver.answer((response) => response.end())
      const known = receiver.received.length
      const gateway = await startGatewayProcess(environment)
      gateway.child.stderr?.on('data', (part: Buffer) => (output += part.toString()))
      if (known === 0) await signUp(gateway.url)
      await expect.poll(() => receiver.received.length).toBe(known + 1)
      if (isLast) await gateway.terminate()
      else await gateway.kill()
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(
      receiver.received.every(({ headers }) =>
        /^v1,\S+$/.test(String(headers['webhook-signature'])),
      ),
    ).toBe(true)
    expect(output).not.toContain('c2VjcmV0')
    expect(output).not.toContain('planted-in-the-address')
    expect(readFileSync(path.join(dataDir, 'chat-gateway.db')).includes('c2VjcmV0')).toBe(false)
  },
)

it(
  'an answer that was saved before a kill is told of after it, by the same id each time',
  { timeout: 120_000 },
  async () => {
    const receiver = await startOpenReceiver()
    const upstream = await startFakeCompatible({ models: ['text'] })
    onTestFinished(() => upstream.close())
    receiver.answer(() => undefined)
    const dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-webhooks-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const environment = {
      DATA_DIR: dataDir,
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: 'sk-upstream-key-000000',
      ENABLE_USER_WEBHOOKS: 'true',
      WEB_FETCH_ALLOWED_HOSTS: receiver.url.slice('http://'.length),
    }
    let token = ''
    for (const isLast of [false, false, true]) {
      if (isLast) receiver.answer((response) => response.end())
      const known = receiver.received.length
      const gateway = await startGatewayProcess(environment)
      const post = (target: string, body: object) =>
        fetch(gateway.url + target, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
        })
      if (known === 0) {
        token = await signUp(gateway.url)
        await post('/api/v1/webhooks/own', { url: receiver.url })
        const question = {
          id: 'm1',
          role: 'user',
          content: 'Hello?',
          parentId: null,
          childrenIds: ['m2'],
        }
        const messages = {
          m1: question,
          m2: { id: 'm2', role: 'assistant', content: '', parentId: 'm1', childrenIds: [] },
        }
        const made = await post('/api/v1/chats/new', {
          chat: { title: 'Whales', history: { currentId: 'm2', messages } },
        })
        const { id } = (await made.json()) as { id: string }
        const asked = {
          model: 'text',
          chat_id: id,
          id: 'm2',
          stream: false,
          messages: [{ role: 'user', content: 'Hello?' }],
        }
        await post('/api/chat/completions', asked)
      }
      await expect.poll(() => receiver.received.length).toBe(known + 1)
      if (isLast) await gateway.terminate()
      else await gateway.kill()
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.received.at(-1)!.body).toMatchObject({
      event: 'chat_response',
      chat: { title: 'Whales' },
    })
  },
)

it('nobody who was switched off is told of an answer', async () => {
  const receiver = await startOpenReceiver()
  const test = await startConversation({
    environment: {
      ENABLE_USER_WEBHOOKS: 'true',
      WEB_FETCH_ALLOWED_HOSTS: receiver.url.slice('http://'.length),
    },
  })
  onTestFinished(() => test.close())
  const { users, webhooks } = test.server.context
  const bob = await test.addUser('Bob')
  await test.server.call('POST', '/api/v1/webhooks/own', {
    token: bob,
    body: { url: receiver.url },
  })
  const { id } = (await users.findByEmail('bob@example.com'))!
  const chat = await test.createChat('Hello?', { token: bob, title: 'Whales' })
  const place = { chat_id: chat.chat_id, message_id: chat.id }
  const delivery = (await webhooks.tellAnswer(id, place))!
  await users.update(id, { role: 'pending' })
  await webhooks.releaseAnswer(delivery)
  await expect.poll(async () => (await webhooks.describe(id)).waiting).toBe(0)
  expect(await webhooks.tellAnswer(id, place)).toBeNull()
  expect(receiver.received).toEqual([])
})

import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { MOST_PASSES, type GuestPass } from '#contract/sharing.ts'
import { isForGuests } from '../auth/guest-endpoints.ts'
import { createLogger } from '../lib/logger.ts'
import { createPeople } from '../testing/create-people.ts'
import { openShared, type OpenShared } from '../testing/open-shared.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { GuestPasses } from './guest-passes.ts'

let conversation: Conversation
let shared: OpenShared
beforeAll(async () => {
  conversation = await startConversation({
    upstream: { models: ['text', 'stall', 'kept'] },
    environment: { SHARING_PORT: '19643' },
  })
  shared = await openShared(conversation.server, conversation.token)
})
afterAll(() => conversation.close())

const asAdmin = async <Body>(method: string, path: string, body?: unknown) => {
  const reply = await conversation.server.call(method, path, {
    token: conversation.token,
    ...(body !== undefined && { body }),
  })
  return { status: reply.status, body: (await reply.json()) as Body }
}
const ask = (token: string, model = 'text') =>
  shared.call('/api/chat/completions', {
    token,
    body: { model, messages: [{ role: 'user', content: 'Hello' }], stream: false },
  })
const passes = async () => (await asAdmin<GuestPass[]>('GET', '/api/v1/sharing/passes')).body

describe('a guest pass', () => {
  it('lets one device in, which converses with the models that were lent', async () => {
    const pass = await shared.newPass({ models: ['text'] })
    const token = await shared.enter(pass.secret)
    expect((await ask(token)).status).toBe(200)
    const listed = await shared.call('/api/models', { token })
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual(['text'])
    expect(await ask(token, 'kept')).toMatchObject({ status: 400 })
    expect((await shared.call('/api/v1/sharing/pass', { token })).body).toMatchObject({
      name: 'Visitor',
      message_limit: 5,
      message_count: 2,
    })
  })

  it('is refused to a second device, and after its end, with a sentence', async () => {
    const pass = await shared.newPass()
    await shared.enter(pass.secret)
    const enter = (secret: string) => shared.call('/api/v1/sharing/enter', { body: { secret } })
    expect(await enter(pass.secret)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('on another device') as string },
    })
    await asAdmin('DELETE', `/api/v1/sharing/passes/${pass.id}`)
    expect(await enter(pass.secret)).toMatchObject({
      status: 401,
      body: { detail: 'This guest pass has ended. Ask for a new one.' },
    })
    expect(await enter('guest-of-nobody-here')).toMatchObject({ status: 401 })
    const { storage } = conversation.server.context
    const stored = await storage
      .prepare<[string]>('select * from guest_pass where id = ?')
      .get(pass.id)
    expect(stored).toMatchObject({ id: pass.id })
    expect(JSON.stringify(stored)).not.toContain(pass.secret)
  })

  it('lets one of two devices in that come at once', async () => {
    const pass = await shared.newPass()
    const enter = () => shared.call('/api/v1/sharing/enter', { body: { secret: pass.secret } })
    const replies = await Promise.all([enter(), enter(), enter()])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  it('counts messages, and says when they are used up', async () => {
    const pass = await shared.newPass({ models: ['text'], messages: 2 })
    const token = await shared.enter(pass.secret)
    expect(
      (await Promise.all([ask(token), ask(token), ask(token)]))
        .map(({ status }) => status)
        .toSorted((a, b) => a - b),
    ).toEqual([200, 200, 429])
    expect(await ask(token)).toMatchObject({
      status: 429,
      body: {
        detail: 'This guest pass allows 2 messages, and they are used up. Ask for a new pass.',
      },
    })
    const shown = (await passes()).find(({ id }) => id === pass.id)
    expect(shown).toMatchObject({ message_count: 2, used_at: expect.any(Number) as number })
  })

  it('ends at once everywhere, with all that the guest had', async () => {
    const pass = await shared.newPass({ models: ['text', 'stall'] })
    const token = await shared.enter(pass.secret)
    const socket = shared.socket(token)
    await once(socket, 'message')
    const closed = once(socket, 'close')
    const chat = await shared.call('/api/v1/chats/new', {
      token,
      body: { chat: { title: 'Of the guest', history: { messages: {}, currentId: null } } },
    })
    expect(chat.status).toBe(200)
    const answering = shared
      .call('/api/chat/completions', {
        token,
        body: { model: 'stall', messages: [{ role: 'user', content: 'Hello' }], stream: true },
      })
      .catch(() => 'cut off')
    await expect
      .poll(() => conversation.upstream.requests.at(-1)?.json)
      .toMatchObject({ model: 'stall' })
    const started = performance.now()
    expect((await asAdmin('DELETE', `/api/v1/sharing/passes/${pass.id}`)).status).toBe(200)
    await closed
    await answering
    expect((await shared.call('/api/v1/auths/', { token })).status).toBe(401)
    expect(performance.now() - started).toBeLessThan(2000)
    const { storage } = conversation.server.context
    const left = () =>
      storage.prepare("select count(*) from chat where title = 'Of the guest'").pluck().get()
    await expect.poll(left).toBe(0)
    expect((await asAdmin('DELETE', `/api/v1/sharing/passes/${pass.id}`)).status).toBe(404)
  })

  it('opens nothing of the host: only what a conversation needs', async () => {
    const token = await shared.enter((await shared.newPass({ models: ['text'] })).secret)
    const closed = allEndpoints.filter((endpoint) => !isForGuests(endpoint))
    expect(closed.length).toBeGreaterThan(300)
    const wrong: string[] = []
    for (const { id, auth, method, path } of closed) {
      const place = path.replaceAll(/[:*]\w+/g, 'x')
      const { status } = await shared.call(place, { method, token })
      const expected = auth === 'admin' ? 401 : 403
      if (status !== expected) wrong.push(`${id} ${status}`)
    }
    expect(wrong).toEqual([])
  }, 60_000)

  it('shows guests nothing that was shared with everybody, and others nothing of guests', async () => {
    const token = await shared.enter(
      (await shared.newPass({ name: 'Zoe', models: ['text'] })).secret,
    )
    const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    await asAdmin('POST', '/api/v1/prompts/create', {
      command: 'house',
      name: 'Of the house',
      content: 'Text',
      access_grants: everybody,
    })
    expect((await shared.call('/api/v1/prompts/', { token })).body).toEqual([])
    expect((await shared.call('/api/config', { token })).body).not.toHaveProperty('user_count')
    const people = await asAdmin<{ users: { name: string }[] }>('GET', '/api/v1/users/all')
    expect(people.body.users.map(({ name }) => name)).toEqual(['Ada'])
    const session = await shared.call('/api/v1/auths/', { token })
    expect(session.body).toMatchObject({ name: 'Zoe', role: 'user' })
    expect(session.body.permissions.features).not.toContain(true)
  })

  it('ends with its device, since it works on no other', async () => {
    const pass = await shared.newPass({ name: 'Gone' })
    await shared.enter(pass.secret)
    const devices = await asAdmin<{ id: string; person: string }[]>(
      'GET',
      '/api/v1/sharing/devices',
    )
    const { id } = devices.body.find(({ person }) => person === 'Gone')!
    expect((await asAdmin('DELETE', `/api/v1/sharing/devices/${id}`)).status).toBe(200)
    const ended = (await passes()).find((each) => each.id === pass.id)
    expect(ended).toMatchObject({ ended_at: expect.any(Number) as number })
  })

  it('lends no tools, whatever a guest names', async () => {
    const token = await shared.enter((await shared.newPass({ models: ['text'] })).secret)
    const offered = await asAdmin<{ id: string }[]>('GET', '/api/v1/tools/')
    const tool_ids = offered.body.map(({ id }) => id)
    expect(tool_ids.length).toBeGreaterThan(0)
    const body = { model: 'text', messages: [{ role: 'user', content: 'Hi' }], stream: false }
    const sent = (caller: string) =>
      shared
        .call('/api/chat/completions', { token: caller, body: { ...body, tool_ids } })
        .then(() => conversation.upstream.requests.at(-1)!.json)
    expect(await sent(conversation.token)).toHaveProperty('tools')
    expect(await sent(token)).not.toHaveProperty('tools')
  })

  it('is made by administrators, while the gateway is shared', async () => {
    const token = await conversation.addUser('Bo')
    const body = { name: 'Mine', models: ['text'], hours: 1, messages: 1 }
    for (const caller of [token, await shared.enter((await shared.newPass()).secret)])
      expect((await shared.call('/api/v1/sharing/passes', { token: caller, body })).status).toBe(
        401,
      )
  })
})

describe('passes as time goes by', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('end by themselves, with the account of the guest', async () => {
    const { storage, users } = await createPeople()
    const passes = new GuestPasses({ storage, users, log: createLogger('silent') })
    const pass = { name: 'Visitor', models: ['text'], hours: 1, messages: 1 }
    const { secret } = await passes.create(pass)
    const { user } = await passes.enter(secret)
    expect(passes.lentTo(user.id)).toEqual(new Set(['text']))
    await vi.advanceTimersByTimeAsync(3_599_000)
    expect(await users.get(user.id)).not.toBe(null)
    await vi.advanceTimersByTimeAsync(1_000)
    await expect.poll(() => users.get(user.id)).toBe(null)
    await expect(passes.enter(secret)).rejects.toThrow(
      'This guest pass has ended. Ask for a new one.',
    )
    await vi.advanceTimersByTimeAsync(8 * 86_400_000)
    await passes.resume()
    expect(passes.list()).toEqual([])
    passes.close()
  })

  it('let one of two devices in that come at once, and count messages sent at once', async () => {
    const { storage, users } = await createPeople()
    const passes = new GuestPasses({ storage, users, log: createLogger('silent') })
    const { secret } = await passes.create({ name: 'Visitor', models: [], hours: 1, messages: 3 })
    const entered = await Promise.allSettled([passes.enter(secret), passes.enter(secret)])
    // PostgreSQL may let either one in.
    const admitted = entered.filter((each) => each.status === 'fulfilled')
    expect(admitted).toHaveLength(1)
    const { user } = admitted[0]!.value
    const sent = await Promise.allSettled(
      [2, 2, 1].map(async (messages) => passes.countMessages(user.id, messages)),
    )
    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const after = new GuestPasses({ storage, users, log: createLogger('silent') })
    await after.load()
    expect(after.list()).toMatchObject([{ message_count: 3 }])
    passes.close()
  })

  it('end when the gateway comes back after their time', async () => {
    const { storage, users } = await createPeople()
    const parts = { storage, users, log: createLogger('silent') }
    const before = new GuestPasses(parts)
    const pass = { name: 'Visitor', models: ['text'], hours: 1, messages: 1 }
    const { secret } = await before.create(pass)
    const { user } = await before.enter(secret)
    before.close()
    vi.setSystemTime(Date.now() + 7_200_000)
    const after = new GuestPasses(parts)
    await after.load()
    expect(after.lentTo(user.id)).toEqual(new Set())
    await after.resume()
    await expect.poll(() => users.get(user.id)).toBe(null)
    after.close()
  })

  it('end although the database failed when their time came', async () => {
    const { storage, users } = await createPeople()
    const passes = new GuestPasses({ storage, users, log: createLogger('silent') })
    const { secret } = await passes.create({
      name: 'Visitor',
      models: [],
      hours: 1 / 3600,
      messages: 1,
    })
    const { user } = await passes.enter(secret)
    const run = vi.spyOn(storage, 'run').mockRejectedValue(new Error('The disk is full.'))
    await vi.advanceTimersByTimeAsync(2000)
    expect(run).toHaveBeenCalled()
    run.mockRestore()
    await vi.advanceTimersByTimeAsync(60_000)
    await expect.poll(() => users.get(user.id)).toBe(null)
    passes.close()
  })

  it('are no more than a gateway can hold, also when they are made at once', async () => {
    const { storage, users } = await createPeople()
    const passes = new GuestPasses({ storage, users, log: createLogger('silent') })
    const make = () => passes.create({ name: 'Visitor', models: ['text'], hours: 1, messages: 1 })
    for (let count = 0; count < MOST_PASSES; count += 1) await make()
    await passes.end(passes.list()[0]!.id)
    const made = await Promise.allSettled([make(), make()])
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(make()).rejects.toThrow(
      `No more than ${MOST_PASSES} passes hold at a time. End one first.`,
    )
    passes.close()
  })
})

it('leaves neither the secret of a pass nor a private key in the log of calls', async () => {
  const { server, token } = conversation
  await server.context.settings.update({ ENABLE_REQUEST_LOG_BODIES: true })
  const { secret } = await shared.newPass()
  const guest = await shared.enter(secret)
  await asAdmin('POST', '/api/v1/sharing/certificate', { certificate: 'x', key: 'a private key' })
  const list = await server.call('GET', '/api/v1/requests', { token })
  const { items: records } = (await list.json()) as {
    items: { id: string; endpoint: string }[]
  }
  expect(records.some(({ endpoint }) => endpoint === 'sharing.enter')).toBe(true)
  const whole = await Promise.all(
    records.map(async ({ id }) =>
      (await server.call('GET', `/api/v1/requests/${id}`, { token })).text(),
    ),
  )
  for (const text of [...whole, JSON.stringify(records)])
    for (const hidden of [secret, guest, 'a private key']) expect(text).not.toContain(hidden)
})

it('refuses to send a recorded call again for a device, whose connection is encrypted', async () => {
  const { server, token } = conversation
  await server.context.settings.update({ ENABLE_REQUEST_LOG_BODIES: true })
  await ask(token)
  const list = async () =>
    (await (
      await server.call('GET', '/api/v1/requests?text=completions&status=200', { token })
    ).json()) as { items: { id: string }[] }
  await expect.poll(async () => (await list()).items.length).toBeGreaterThan(0)
  const { id } = (await list()).items[0]!
  const path = `/api/v1/requests/${id}/replay`
  expect(await shared.call(path, { token, body: {} })).toMatchObject({
    status: 409,
    headers: { 'x-error-code': 'replay_elsewhere' },
  })
  expect((await server.call('POST', path, { token, body: {} })).status).toBe(200)
})

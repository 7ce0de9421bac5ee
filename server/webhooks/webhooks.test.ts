import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { GuardedFetch, type FetchPolicy } from '../lib/outgoing/guarded-fetch.ts'
import { createLogger } from '../lib/logger.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createPeople } from '../testing/create-people.ts'
import { startReceiver, type Receiver } from '../testing/start-receiver.ts'
import { Webhooks, type AnswerFacts } from './webhooks.ts'

const POLICY: FetchPolicy = {
  allowedHosts: [],
  allowLocal: false,
  maximumBytes: 65_536,
  timeoutMilliseconds: 300,
  offline: false,
}
const SECRET = 'a secret of the receiver'

let receiver: Receiver
let people: Awaited<ReturnType<typeof createPeople>>
let addresses: Map<string, string>
let answers: Map<string, AnswerFacts>
let webhooks: Webhooks
let ada: string

function create(): Webhooks {
  const { storage, settings } = people
  const made = new Webhooks({
    storage,
    settings,
    secrets: createSecrets('a root secret that only tests use, 32+ bytes'),
    log: createLogger('silent'),
    fetch: {
      gateway: new GuardedFetch(() => ({ ...POLICY, allowLocal: true })),
      people: new GuardedFetch(() => ({
        ...POLICY,
        allowedHosts: settings.get('WEB_FETCH_ALLOWED_HOSTS'),
      })),
    },
    address: async (userId) => addresses.get(userId) ?? '',
    setAddress: async (userId, url) => void addresses.set(userId, url),
    readAnswer: async (chatId, messageId) => answers.get(`${chatId}/${messageId}`) ?? null,
    person: (userId) => people.users.get(userId),
    versions: { api: '0.9.6', product: '0.1.0' },
    pauses: [20, 20],
  })
  onTestFinished(() => made.close())
  return made
}

beforeEach(async () => {
  receiver = await startReceiver()
  people = await createPeople({
    ENABLE_USER_WEBHOOKS: 'true',
    WEB_FETCH_ALLOWED_HOSTS: receiver.url.slice(7),
    WEBUI_URL: 'https://chat.example.org/',
  })
  await people.settings.update({ WEBHOOK_URL: receiver.url })
  addresses = new Map()
  answers = new Map()
  ada = (await people.addCaller('Ada')).userId
  webhooks = create()
  await webhooks.start()
})
afterEach(() => receiver.close())

const newUser = { name: 'Bob', email: 'bob@example.org' }
const result = async (whose: string | null = null) => (await webhooks.describe(whose)).last_result

describe('the webhook of the gateway', () => {
  it('tells of a new account in the body of the specification with the keys of the reference', async () => {
    await webhooks.tellNewUser(newUser)
    await expect
      .poll(() => result())
      .toMatchObject({
        event: 'new_user',
        delivered: true,
        attempts: 1,
        status: 200,
        problem: null,
      })
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[0]]
    expect(body).toEqual({
      event: 'new_user',
      user: newUser,
      action: 'signup',
      message: 'New user signed up: Bob',
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': (await webhooks.describe(null)).last_result!.id,
    })
    expect(headers['webhook-signature']).toBeUndefined()
  })

  it('signs what is sent with the secret, which is shown nowhere', async () => {
    expect(JSON.stringify(await webhooks.update(null, { secret: SECRET }))).not.toContain(SECRET)
    await webhooks.tellNewUser(newUser)
    await expect.poll(() => result()).toMatchObject({ delivered: true })
    const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]]
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`,
    )
    expect(await webhooks.describe(null)).toMatchObject({ has_secret: true })
  })

  it('is tried three times with the same id, and keeps no facts of what is over', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    await webhooks.tellNewUser(newUser)
    await expect
      .poll(() => result())
      .toMatchObject({
        delivered: false,
        attempts: 3,
        status: 500,
        problem: 'The receiver answered with status 500. Check the address.',
      })
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(
      await people.storage.prepare('select facts from webhook_delivery').pluck().all(),
    ).toEqual([''])
  })

  it('goes on where a second try works', async () => {
    receiver.answer((response) =>
      response.writeHead(receiver.received.length === 1 ? 503 : 204).end(),
    )
    await webhooks.tellNewUser(newUser)
    await expect
      .poll(() => result())
      .toMatchObject({ delivered: true, attempts: 2, status: 204, problem: null })
  })

  it('neither waits for a receiver that hangs nor follows one that leads on', async () => {
    receiver.answer(() => undefined)
    await webhooks.tellNewUser(newUser)
    await expect
      .poll(() => result())
      .toMatchObject({
        attempts: 3,
        status: null,
        problem: 'The receiver did not answer in time. Check whether it is running.',
      })
    receiver.answer((response) => response.writeHead(302, { location: '/elsewhere' }).end())
    expect(await webhooks.test(null, AbortSignal.timeout(5000))).toMatchObject({
      delivered: false,
      status: 302,
    })
    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  it('is not held up by an answer without end', async () => {
    receiver.answer((response) => {
      const pour = (): void =>
        void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(pour)))
      pour()
    })
    expect(await webhooks.test(null, AbortSignal.timeout(5000))).toMatchObject({
      delivered: true,
      status: 200,
    })
  })

  it('hears of what a former process could not deliver', async () => {
    await webhooks.close()
    await webhooks.tellNewUser(newUser)
    expect((await webhooks.describe(null)).waiting).toBe(1)
    const again = create()
    await again.start()
    await expect
      .poll(async () => (await again.describe(null)).last_result)
      .toMatchObject({ delivered: true })
    expect(receiver.received).toHaveLength(1)
  })

  it('goes on although deliveries of the receiver failed for a reason nobody foresaw', async () => {
    await webhooks.close()
    for (let count = 0; count < 3; count += 1) await webhooks.tellNewUser(newUser)
    await people.storage.prepare("update webhook_delivery set facts = 'no JSON'").run()
    const again = create()
    await again.start()
    await again.tellNewUser({ ...newUser, name: 'Carol' })
    await expect
      .poll(async () => (await again.describe(null)).last_result)
      .toMatchObject({ delivered: true })
    expect(receiver.received.map(({ body }) => body['message'])).toEqual([
      'New user signed up: Carol',
    ])
    expect((await again.describe(null)).waiting).toBe(3)
  })

  it('goes with its event when the transaction is given up', async () => {
    const work = () =>
      people.storage.transaction(async () => {
        await webhooks.tellNewUser(newUser)
        throw new Error('given up')
      })
    await expect(work()).rejects.toThrow('given up')
    expect((await webhooks.describe(null)).waiting).toBe(0)
  })
})

describe('the webhook of a person', () => {
  const tell = async (chat = 'c1') => {
    const id = await webhooks.tellAnswer(ada, { chat_id: chat, message_id: 'm1' })
    if (id !== null) await webhooks.releaseAnswer(id)
    return id
  }

  it('tells of an answer as it is when it is sent', async () => {
    answers.set('c1/m1', { title: 'Whales', text: 'They sing.' })
    await webhooks.update(ada, { url: `${receiver.url}/mine` })
    await tell()
    await expect.poll(() => result(ada)).toMatchObject({ event: 'chat_response', delivered: true })
    expect(receiver.received[0]).toMatchObject({
      path: '/mine',
      body: {
        event: 'chat_response',
        chat: { id: 'c1', title: 'Whales', last_message: 'They sing.' },
        action: 'chat',
        message: 'They sing.',
        title: 'Whales',
        url: 'https://chat.example.org/c/c1',
      },
    })
  })

  it('tells after a restart what a former process still held back', async () => {
    answers.set('c1/m1', { title: 'Whales', text: 'They sing.' })
    await webhooks.update(ada, { url: receiver.url })
    const id = await webhooks.tellAnswer(ada, { chat_id: 'c1', message_id: 'm1' })
    await webhooks.close()
    await create().start()
    await expect.poll(() => result(ada)).toMatchObject({ id, delivered: true })
    expect(receiver.received).toHaveLength(1)
  })

  it('is not used while it is switched off, without an address, and for an answer that is gone', async () => {
    expect(await tell()).toBeNull()
    await webhooks.update(ada, { url: receiver.url })
    await tell('gone')
    await expect.poll(async () => (await webhooks.describe(ada)).waiting).toBe(0)
    await people.settings.update({ ENABLE_USER_WEBHOOKS: false })
    expect(await tell()).toBeNull()
    expect(receiver.received).toEqual([])
    expect((await webhooks.describe(ada)).last_result).toBeNull()
  })

  it('never leads into the machine or its network, whatever address was stored', async () => {
    answers.set('c1/m1', { title: 'Whales', text: 'They sing.' })
    await people.settings.update({ WEB_FETCH_ALLOWED_HOSTS: [] })
    const { port } = new URL(receiver.url)
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
      const url = `http://${host}:${port}/inside`
      await expect(() => webhooks.update(ada, { url }), host).rejects.toThrow(
        'not on the public internet',
      )
      addresses.set(ada, url)
      const id = await tell()
      await expect
        .poll(() => result(ada))
        .toMatchObject({ id, delivered: false, attempts: 1, status: null })
      expect(await webhooks.test(ada, AbortSignal.timeout(5000))).toMatchObject({
        delivered: false,
      })
    }
    expect(receiver.received).toEqual([])
  })

  it('keeps its secret encrypted', async () => {
    await webhooks.update(ada, { url: receiver.url, secret: SECRET })
    expect(await webhooks.describe(ada)).toMatchObject({ url: receiver.url, has_secret: true })
    expect(
      JSON.stringify(await people.storage.prepare('select * from webhook_secret').all()),
    ).not.toContain(SECRET)
    expect(await webhooks.update(ada, { secret: '' })).toMatchObject({
      url: receiver.url,
      has_secret: false,
    })
  })

  it('that hangs does not hold up those of others', async () => {
    const bob = (await people.addCaller('Bob2')).userId
    answers.set('c1/m1', { title: 'Whales', text: 'They sing.' })
    receiver.answer((response, { path }) => void (path === '/bob' && response.end()))
    await webhooks.update(ada, { url: `${receiver.url}/ada` })
    await webhooks.update(bob, { url: `${receiver.url}/bob` })
    for (let count = 0; count < 40; count += 1) await tell()
    await webhooks.releaseAnswer(
      (await webhooks.tellAnswer(bob, { chat_id: 'c1', message_id: 'm1' }))!,
    )
    await expect.poll(() => result(bob)).toMatchObject({ delivered: true })
    expect((await webhooks.describe(ada)).waiting).toBe(40)
  })

  it('is tested once at a time', async () => {
    await expect(webhooks.test(ada, AbortSignal.timeout(5000))).rejects.toMatchObject({
      status: 400,
    })
    await webhooks.update(ada, { url: receiver.url })
    const first = webhooks.test(ada, AbortSignal.timeout(5000))
    await expect(webhooks.test(ada, AbortSignal.timeout(5000))).rejects.toMatchObject({
      status: 429,
    })
    expect(await first).toMatchObject({ event: 'test', delivered: true })
    expect(receiver.received[0]!.body).toMatchObject({ event: 'test' })
  })
})

it('an address for events that another gateway has just removed undoes nobody’s call', async () => {
  const { storage } = people
  const { id } = await webhooks.events.create({ name: 'Audit', url: receiver.url, events: ['*'] })
  await storage.run(storage.builder.deleteFrom('event_webhook').where('id', '=', id))
  await storage.transaction(() => webhooks.events.tell('memory.reset', {}))
  await storage.transaction(() => webhooks.tellNewUser(newUser))
  await expect.poll(() => result()).toMatchObject({ delivered: true })
})

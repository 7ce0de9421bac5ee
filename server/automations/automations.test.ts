import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { automationRunSchema, type Automation, type AutomationRun } from '#contract/automations.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { AutomationStore, RunStore } from './store.ts'

const ROOT = '/api/v1/automations'
const DAILY = 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY'

let test: Conversation
let member: string

beforeEach(async () => {
  test = await startConversation({
    environment: { USER_PERMISSIONS_FEATURES_AUTOMATIONS: 'true' },
  })
  member = await test.addUser('Bob')
})
afterEach(() => {
  vi.restoreAllMocks()
  return test.close()
})

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
async function ask(call: string, body?: unknown, token: string | null = member): Promise<any> {
  const [method, path] = call.split(' ')
  const reply = await test.server.call(method!, `${ROOT}${path}`, {
    ...(token !== null && { token }),
    ...(body !== undefined && { body }),
  })
  return { status: reply.status, body: await reply.json() }
}

const input = (data: object = {}, more: object = {}) => ({
  name: 'Morning news',
  data: { prompt: 'What happened?', model_id: 'text', rrule: DAILY, timezone: 'UTC', ...data },
  ...more,
})

const create = async (data: object = {}, more: object = {}): Promise<Automation> => {
  const { status, body } = await ask('POST /create', input(data, more))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const runsOf = async ({ id }: Pick<Automation, 'id'>): Promise<AutomationRun[]> =>
  (await ask(`GET /${id}/runs`)).body

async function ended(automation: Pick<Automation, 'id'>): Promise<AutomationRun> {
  return vi.waitFor(
    async () => {
      const [run] = await runsOf(automation)
      expect(run).toBeDefined()
      expect(run!.status).not.toBe('running')
      return run!
    },
    { timeout: 30_000, interval: 50 },
  )
}

/** Makes an automation due now, or some time ago. */
async function letCome({ id }: Automation, secondsAgo: number): Promise<void> {
  await test.server.context.storage
    .prepare('update automation set next_run_at = ? where id = ?')
    .run(Date.now() - secondsAgo * 1000, id)
  // Any change makes the gateway check again.
  await ask('POST /create', input({}, { name: 'Another', is_active: false }), test.token)
}

/** Removes the permission for automations from everyone but administrators. */
const forbid = () =>
  test.server.context.groups.updateDefaultPermissions({ features: { automations: false } })

describe('an automation', () => {
  it('runs no more often than allowed, whatever times its rule leaves out', async () => {
    const minutes = Array.from({ length: 146 }, (_, minute) => minute).filter((each) => each % 5)
    const stamps = minutes.map((minute) => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString())
    const excluded = stamps.map((stamp) => stamp.slice(0, 19).replaceAll(/[-:]/g, ''))
    const rrule = `DTSTART:20300101T000000\nRRULE:FREQ=MINUTELY\nEXDATE:${excluded.join(',')}`
    const { status, body } = await ask('POST /create', input({ rrule }))
    expect([status, body.detail]).toEqual([
      400,
      'There have to be at least 300 seconds between two runs.',
    ])
  })

  it('is made, listed, found, changed, paused, resumed and deleted by its owner', async () => {
    const made = await create({ own: { kept: true } })
    expect(made).toMatchObject({
      name: 'Morning news',
      is_active: true,
      last_run: null,
      last_run_at: null,
      webhook: null,
      data: { own: { kept: true }, timezone: 'UTC' },
    })
    expect(made.next_runs).toHaveLength(5)
    expect(made.next_runs![0]).toBe(Date.UTC(2030, 0, 1, 9) * 1e6)
    expect(made.next_run_at).toBe(made.next_runs![0])
    const quiet = await create({ prompt: 'Quarks' }, { name: 'Quiet', is_active: false })
    expect(quiet).toMatchObject({ is_active: false, next_run_at: null })
    const names = async (query: string): Promise<string[]> =>
      (await ask(`GET /list${query}`)).body.items.map(({ name }: Automation) => name)
    expect(await names('')).toEqual(['Quiet', 'Morning news'])
    expect(await names('?status=paused')).toEqual(['Quiet'])
    expect(await names('?status=active')).toEqual(['Morning news'])
    expect(await names('?status=nonsense')).toHaveLength(2)
    expect(await names('?query=quark')).toEqual(['Quiet'])
    expect(await names('?query=100%25')).toEqual([])
    const changed = (await ask(`POST /${made.id}/update`, input({ prompt: 'Why?' }))).body
    expect(changed).toMatchObject({ data: { prompt: 'Why?' }, is_active: true })
    const off = (await ask(`POST /${made.id}/toggle`)).body
    expect(off).toMatchObject({ is_active: false, next_run_at: null, next_runs: [] })
    expect((await ask(`POST /${made.id}/toggle`)).body.next_run_at).toBe(made.next_run_at)
    expect((await ask(`DELETE /${made.id}/delete`)).body).toBe(true)
    expect((await ask(`GET /${made.id}`)).status).toBe(404)
  })

  it('is refused for a rule that is none, never comes or comes too often', async () => {
    for (const rrule of ['', 'nonsense', 'RRULE:FREQ=SECONDLY'])
      expect((await ask('POST /create', input({ rrule }))).body.detail).toMatch(/^Invalid RRULE: /)
    const past = input({ rrule: 'DTSTART:20200101T000000\nRRULE:FREQ=DAILY;COUNT=2' })
    expect((await ask('POST /create', past)).status).toBe(400)
    const often = input({ rrule: 'RRULE:FREQ=MINUTELY' })
    expect((await ask('POST /create', often)).body.detail).toContain('300 seconds')
    expect((await ask('POST /create', input({ timezone: 'Mars' }))).status).toBe(400)
    expect((await ask('POST /create', { name: 'x' })).status).toBe(422)
    const shown = await ask('POST /preview', { rrule: DAILY, timezone: 'Europe/Berlin' })
    expect(shown.body.next_runs).toHaveLength(5)
    expect(shown.body.next_runs[0]).toBe(Date.UTC(2030, 0, 1, 8) * 1e6)
  })

  it('is refused for a rule whose close times come late in its period', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => hour).join(',')
    // Every hour for two days, then two minutes apart.
    const places = [...Array.from({ length: 48 }, (_, at) => 1 + 2 * at), 96].join(',')
    const rrule = `DTSTART:20300101T000000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=1,2;BYHOUR=${hours};BYMINUTE=0,2;BYSETPOS=${places}`
    expect((await ask('POST /create', input({ rrule }))).body.detail).toContain('300 seconds')
  })

  it('is one of so many', async () => {
    await test.server.context.settings.update({ AUTOMATION_MAX_COUNT: 1 })
    await create()
    expect(await ask('POST /create', input())).toMatchObject({
      status: 403,
      body: { detail: 'Automation limit reached (1)' },
    })
  })

  it('is nobody else’s, and nobody’s where it is switched off or not permitted', async () => {
    const made = await create()
    const other = await test.addUser('Eve')
    for (const call of [`GET /${made.id}`, `POST /${made.id}/run`, `DELETE /${made.id}/delete`])
      expect((await ask(call, undefined, other)).status, call).toBe(404)
    expect((await ask(`GET /${made.id}`, undefined, test.token)).status).toBe(200)
    expect((await ask('GET /list', undefined, test.token)).body.items).toEqual([])
    await forbid()
    expect((await ask('GET /list')).status).toBe(403)
    await test.server.context.settings.update({ ENABLE_AUTOMATIONS: false })
    expect((await ask('GET /list', undefined, test.token)).status).toBe(403)
  })
})

describe('a run', () => {
  it('asks in a chat of the owner named after the automation, and stands in the history', async () => {
    const made = await create()
    const begun = await ask(`POST /${made.id}/run`)
    expect(begun.status).toBe(200)
    const run = await ended(made)
    expect(run).toMatchObject({ status: 'success', cause: 'manual', error: null, planned_at: null })
    expect(Object.keys(run).sort()).toEqual(Object.keys(automationRunSchema.shape).sort())
    const chat = await test.readChat(run.chat_id!, member)
    expect(chat.title).toBe('Morning news')
    const messages = Object.values(chat.chat.history.messages)
    expect(messages.map(({ role }) => role).toSorted()).toEqual(['assistant', 'user'])
    expect(messages.find(({ role }) => role === 'user')!.content).toBe('What happened?')
    expect(messages.find(({ role }) => role === 'assistant')).toMatchObject({ done: true })
    const after = (await ask(`GET /${made.id}`)).body
    expect(after.last_run).toEqual(run)
    expect(after.last_run_at).toBe(run.created_at)
    expect(after.next_run_at).toBe(made.next_run_at)
  })

  it('begins by itself when its time comes, once', async () => {
    const made = await create()
    await letCome(made, 1)
    const run = await ended(made)
    expect(run).toMatchObject({ status: 'success', cause: 'schedule' })
    expect(run.planned_at).toBeLessThanOrEqual(run.created_at)
    expect((await ask(`GET /${made.id}`)).body.next_run_at).toBe(made.next_run_at)
    expect(await runsOf(made)).toHaveLength(1)
  })

  it('is claimed by one of several gateways that found it due', async () => {
    const made = await create()
    const gateways = [1, 2, 3].map(() => new AutomationStore(test.server.context.storage))
    const found = await Promise.all(gateways.map((gateway) => gateway.get(made.id)))
    const claims = await Promise.all(
      gateways.map((gateway, index) => gateway.claim(found[index]!, Date.now() + 60_000)),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('that was due while the gateway did not run is told, and not caught up', async () => {
    const socket = await test.openSocket(member)
    const yesterday = new Date(Date.now() - 10 * 3_600_000)
      .toISOString()
      .replace(/[-:]|\.\d+Z/g, '')
    const made = await create({ rrule: `DTSTART:${yesterday}\nRRULE:FREQ=HOURLY` })
    await letCome(made, (5 * 3_600_000) / 1000)
    const run = await ended(made)
    expect(run).toMatchObject({ status: 'missed', chat_id: null })
    expect(run.error).toMatch(/^It was due [45] times while the gateway did not run\.$/)
    expect(await runsOf(made)).toHaveLength(1)
    expect((await ask(`GET /${made.id}`)).body.next_run_at / 1e6).toBeGreaterThan(Date.now())
    const told = await socket.event('notification')
    expect(told.data.data['content']).toContain('Morning news: It was due')
  })

  it('of a model that is gone fails in words and leaves no chat', async () => {
    const made = await create({ model_id: 'forgotten' })
    await ask(`POST /${made.id}/run`)
    const run = await ended(made)
    expect(run).toMatchObject({ status: 'error', chat_id: null })
    expect(run.error).toContain('forgotten')
    const chats = await test.server.call('GET', '/api/v1/chats/', { token: member })
    expect(await chats.json()).toEqual([])
  })

  it('has the rights its owner has then: who lost them is told, and the automation paused', async () => {
    const made = await create()
    await forbid()
    await letCome(made, 1)
    await vi.waitFor(async () => {
      const { body } = await ask(`GET /${made.id}/runs`, undefined, test.token)
      expect(body[0]).toMatchObject({ status: 'error', chat_id: null })
      expect(body[0].error).toContain('paused')
    })
    const { body } = await ask(`GET /${made.id}`, undefined, test.token)
    expect(body).toMatchObject({ is_active: false, next_run_at: null })
  })
})

describe('an automation that is deleted meanwhile', () => {
  /** Questions a model got. */
  const asked = () => test.upstream.requests.filter(({ method }) => method === 'POST')
  /** Deletes it when its run is about to be stored. */
  const deleteOnInsert = ({ id }: Automation): void => {
    const { storage } = test.server.context
    vi.spyOn(RunStore.prototype, 'insert').mockImplementationOnce(async (row) => {
      expect((await ask(`DELETE /${id}/delete`)).body).toBe(true)
      return new RunStore(storage).insert(row)
    })
  }

  it('is not run, whoever starts it', async () => {
    const made = await create()
    const { path } = (await ask(`POST /${made.id}/address`)).body
    deleteOnInsert(made)
    expect((await ask(`POST /${made.id}/run`)).status).toBe(404)
    const called = await create()
    const address = (await ask(`POST /${called.id}/address`)).body.path as string
    deleteOnInsert(called)
    expect((await ask(`POST ${address.slice(ROOT.length)}`, {}, null)).status).toBe(404)
    expect((await ask(`POST ${(path as string).slice(ROOT.length)}`, {}, null)).status).toBe(404)
    expect(asked()).toEqual([])
  })

  it('ends its run, also one that began while it was being deleted', async () => {
    const made = await create({ model_id: 'stall' })
    const { storage } = test.server.context
    vi.spyOn(AutomationStore.prototype, 'remove').mockImplementationOnce(async (id) => {
      expect((await ask(`POST /${made.id}/run`)).status).toBe(200)
      await vi.waitFor(() => expect(asked()).toHaveLength(1))
      return new AutomationStore(storage).remove(id)
    })
    expect((await ask(`DELETE /${made.id}/delete`)).body).toBe(true)
    await vi.waitFor(() => expect(test.upstream.aborts()).toBe(1))
  })
})

describe('a run that takes long', () => {
  let slow: Automation

  beforeEach(async () => {
    slow = await create({ model_id: 'stall' })
  })

  it('is the only one of its automation, and can be cancelled', async () => {
    const began = await ask(`POST /${slow.id}/run`)
    expect(began.status).toBe(200)
    expect((await ask(`POST /${slow.id}/run`)).status).toBe(409)
    await letCome(slow, 1)
    await vi.waitFor(async () => expect((await runsOf(slow))[0]!.status).toBe('skipped'))
    expect((await ask(`POST /${slow.id}/cancel`)).status).toBe(200)
    await vi.waitFor(async () =>
      expect((await runsOf(slow)).map(({ status }) => status)).toEqual(['skipped', 'cancelled']),
    )
    expect((await ask(`POST /${slow.id}/cancel`)).status).toBe(404)
  })

  it('is ended when its time is over', async () => {
    await test.server.context.settings.update({ AUTOMATION_TIMEOUT: 10 })
    await ask(`POST /${slow.id}/run`)
    const run = await ended(slow)
    expect(run).toMatchObject({ status: 'error' })
    expect(run.error).toContain('10 seconds')
  }, 40_000)
})

describe('the address of an automation', () => {
  const address = async ({ id }: Automation): Promise<string> => {
    const { path } = (await ask(`POST /${id}/address`)).body
    return (path as string).slice(ROOT.length)
  }

  it('runs it for whoever knows it, with what was sent under the prompt', async () => {
    const made = await create({ rrule: null })
    expect(made).toMatchObject({ next_run_at: null, next_runs: [] })
    const path = await address(made)
    const called = await ask(`POST ${path}`, { build: '```7' }, null)
    expect(called).toMatchObject({ status: 200, body: { success: true } })
    const run = await ended(made)
    expect(run).toMatchObject({ id: called.body.run_id, cause: 'webhook', status: 'success' })
    const chat = await test.readChat(run.chat_id!, member)
    const question = Object.values(chat.chat.history.messages).find(({ role }) => role === 'user')
    expect(question!.content).toBe('What happened?\n\n````\n{\n  "build": "```7"\n}\n````')
    expect((await ask(`GET /${made.id}`)).body.webhook.last_used_at).toBeGreaterThan(0)
    const next = await address(made)
    expect((await ask(`POST ${path}`, {}, null)).status).toBe(404)
    expect((await ask(`DELETE /${made.id}/address`)).body.webhook).toBeNull()
    expect((await ask(`POST ${next}`, {}, null)).status).toBe(404)
  })

  it('is sent as short a text as the program sent, whatever its nesting', async () => {
    const made = await create({ rrule: null })
    const path = await address(made)
    const wide = JSON.parse(`${'['.repeat(60)}${'1,'.repeat(3000)}1${']'.repeat(60)}`) as unknown
    expect((await ask(`POST ${path}`, wide, null)).status).toBe(200)
    const chat = await test.readChat((await ended(made)).chat_id!, member)
    const question = Object.values(chat.chat.history.messages).find(({ role }) => role === 'user')
    expect(question!.content.length).toBeLessThan(100_000)
  })

  it('is answered alike for a wrong secret, a missing automation and one without an address', async () => {
    const made = await create()
    const replies = [
      await ask(`POST /hooks/${made.id}/${'a'.repeat(43)}`, {}, null),
      await ask(`POST /hooks/nobody/${'a'.repeat(43)}`, {}, null),
      await ask(`POST /hooks/${made.id}/`, {}, null),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(replies[0].body.detail).toBe(replies[1].body.detail)
    await address(made)
    const wrong = await ask(`POST /hooks/${made.id}/${'b'.repeat(43)}`, {}, null)
    expect(wrong.body.detail).toBe(replies[0].body.detail)
  })

  it('takes so many calls a minute, no huge ones, and none while paused', async () => {
    const made = await create()
    const path = await address(made)
    const huge = { text: 'x'.repeat(70_000) }
    expect((await ask(`POST ${path}`, huge, null)).status).toBe(413)
    await ask(`POST /${made.id}/toggle`)
    expect((await ask(`POST ${path}`, {}, null)).status).toBe(409)
    for (let call = 0; call < 9; call += 1) await ask(`POST ${path}`, {}, null)
    expect((await ask(`POST ${path}`, {}, null)).status).toBe(429)
    for (let call = 0; call < 60; call += 1) await ask(`POST /hooks/${made.id}/wrong`, {}, null)
    expect((await ask(`POST /hooks/${made.id}/wrong`, {}, null)).status).toBe(429)
  })
})

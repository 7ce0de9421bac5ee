import { isOnPostgres } from '../testing/create-test-storage.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const ROOT = '/api/v1/analytics'
const DAY = 86_400
const now = Math.floor(Date.now() / 1000)
const SECRET = 'zanzibar'

let server: TestServer
let admin: string
let member: string
let memberId: string

const read = async (path: string, token = admin) => {
  const reply = await server.call('GET', `${ROOT}${path}`, { token })
  const text = await reply.text()
  return { status: reply.status, text, body: text.startsWith('date') ? null : JSON.parse(text) }
}

interface Answer {
  readonly model?: string
  readonly at: number
  readonly usage?: unknown
}

async function addChat(token: string, answers: readonly Answer[]): Promise<string> {
  const messages: Record<string, unknown> = {}
  answers.forEach(({ model, at, usage }, index) => {
    const [question, answer] = [`q${index}`, `a${index}`]
    messages[question] = {
      id: question,
      role: 'user',
      content: SECRET,
      parentId: index === 0 ? null : `a${index - 1}`,
      childrenIds: [answer],
      timestamp: at,
    }
    messages[answer] = {
      id: answer,
      role: 'assistant',
      content: SECRET,
      parentId: question,
      childrenIds: index + 1 < answers.length ? [`q${index + 1}`] : [],
      timestamp: at,
      ...(model && { model }),
      ...(usage !== undefined && { usage }),
      done: true,
    }
  })
  const history = { currentId: `a${answers.length - 1}`, messages }
  const reply = await server.call('POST', '/api/v1/chats/new', {
    token,
    body: { chat: { title: SECRET, models: ['north'], history } },
  })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { id: string }).id
}

beforeAll(async () => {
  server = await startTestServer({
    environment: { DEFAULT_USER_ROLE: 'user', ENABLE_SIGNUP: 'true' },
  })
  admin = await server.signUp('Ada')
  await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
  member = await server.signUp('Bob')
  const session = await server.call('GET', '/api/v1/auths/', { token: member })
  memberId = ((await session.json()) as { id: string }).id
  await server.call('POST', '/api/v1/models/prices', {
    token: admin,
    body: { prices: [{ model: 'north', input: 1, output: 2, currency: 'EUR' }] },
  })
  await addChat(admin, [
    { model: 'north', at: now, usage: { input_tokens: 1_000_000, output_tokens: 500_000 } },
    { model: 'south', at: now, usage: { prompt_tokens: 3, completion_tokens: 4 } },
    { model: 'north', at: now - 2 * DAY },
  ])
  await addChat(member, [
    { model: 'north', at: now, usage: { input_tokens: 10, output_tokens: 1 } },
    { at: now - 400 * DAY, usage: { input_tokens: 1e300, output_tokens: [1], total_tokens: 'x' } },
  ])
  const thrown = await addChat(member, [{ model: 'west', at: now }])
  await server.call('DELETE', `/api/v1/chats/${thrown}`, { token: member })
})
afterAll(() => server.close())

describe('figures for administrators', () => {
  it('count answers of chats that are kept, chats, models and people', async () => {
    expect((await read('/summary')).body).toEqual({
      total_messages: 5,
      total_chats: 2,
      total_models: 2,
      total_users: 2,
    })
    expect((await read('/models')).body.models).toEqual([
      { model_id: 'north', count: 3 },
      { model_id: '', count: 1 },
      { model_id: 'south', count: 1 },
    ])
  })

  it('add up tokens in either spelling, and their cost by the price table', async () => {
    const { body } = await read(`/tokens?start_date=${now - DAY - 0.5}`)
    expect(body).toMatchObject({
      total_input_tokens: 1_000_013,
      total_output_tokens: 500_005,
      total_tokens: 1_500_018,
      costs: [{ currency: 'EUR', amount: expect.closeTo(2.000012, 8) }],
    })
    expect(body.models.map(({ model_id }: { model_id: string }) => model_id)).toEqual([
      'north',
      'south',
    ])
    expect(body.models[1]).toEqual({
      model_id: 'south',
      message_count: 1,
      input_tokens: 3,
      output_tokens: 4,
      total_tokens: 7,
      costs: [],
    })
  })

  it('list people by how much they ask, as many as are asked for', async () => {
    const { body } = await read('/users')
    expect(body.users).toMatchObject([
      { name: 'Ada', count: 3, total_tokens: 1_500_007 },
      { name: 'Bob', count: 2 },
    ])
    expect((await read('/users?limit=1')).body.users).toHaveLength(1)
    expect((await read('/users?limit=501')).status).toBe(422)
  })

  it('name each day of a span, those without an answer too, and hours', async () => {
    const { body } = await read(`/daily?start_date=${now - 2 * DAY}&end_date=${now}`)
    expect(body.data).toHaveLength(3)
    expect(body.data.map(({ models }: { models: object }) => models)).toEqual([
      { north: 1 },
      {},
      { north: 2, south: 1 },
    ])
    const hours = (await read(`/daily?granularity=hourly&start_date=${now - 7200}&end_date=${now}`))
      .body.data
    expect(hours).toHaveLength(3)
    expect(hours[2].date).toMatch(/^\d{4}-\d\d-\d\d \d\d:00$/)
    expect((await read('/daily?granularity=nonsense')).body.data).toHaveLength(3)
    expect((await read(`/daily?granularity=hourly&start_date=0&end_date=${now}`)).status).toBe(400)
  })

  it('are those of the members of a group, and none for an unknown one', async () => {
    const made = await server.call('POST', '/api/v1/groups/create', {
      token: admin,
      body: { name: 'Bobs', description: '' },
    })
    const group = (await made.json()) as { id: string }
    await server.call('POST', `/api/v1/groups/id/${group.id}/users/add`, {
      token: admin,
      body: { user_ids: [memberId] },
    })
    expect((await read(`/summary?group_id=${group.id}`)).body).toMatchObject({
      total_messages: 2,
      total_users: 1,
    })
    const hourly = await read(`/daily?granularity=hourly&group_id=${group.id}`)
    expect(hourly.body.data.at(-1).models).toEqual({ north: 1 })
    expect((await read('/summary?group_id=nobody')).body.total_messages).toBe(0)
    expect((await read('/users?group_id=nobody')).body.users).toEqual([])
  })

  it('do not overflow by what somebody writes into an answer', async () => {
    const { body } = await read(`/tokens?end_date=${now - 300 * DAY}`)
    expect(body.models[0]).toMatchObject({ input_tokens: 1_000_000_000, output_tokens: 0 })
  })

  it('hold no word of what anybody wrote', async () => {
    const messages = await read(`/messages?user_id=${memberId}`)
    expect(messages.body).toHaveLength(4)
    expect(messages.body[0]).toMatchObject({ user_id: memberId, content: null, done: true })
    const chats = await read('/models/north/chats')
    expect(chats.body).toMatchObject({ total: 2, chats: [{ first_message: null }, {}] })
    for (const path of [
      '/summary',
      '/users',
      '/daily',
      '/tokens',
      '/models/north/overview',
      '/export?table=days',
    ])
      expect((await server.call('GET', `${ROOT}${path}`, { token: admin })).status).toBe(200)
    for (const { text } of [messages, chats]) expect(text).not.toContain(SECRET)
    expect((await read('/messages')).body).toEqual([])
    expect((await read('/messages?model_id=north&limit=2')).body).toHaveLength(2)
    expect((await read('/messages?model_id=north&limit=101')).status).toBe(422)
  })

  it('tell how a model was rated by day, with one row more than days', async () => {
    await server.call('POST', '/api/v1/evaluations/feedback', {
      token: member,
      body: { type: 'rating', data: { rating: 1, model_id: 'north', tags: ['Code'] } },
    })
    const { body } = await read('/models/north/overview?days=7')
    expect(body.history).toHaveLength(8)
    expect(body.history[7]).toMatchObject({ won: 1, lost: 0 })
    expect(body.tags).toEqual([{ tag: 'Code', count: 1 }])
  })

  it('can be saved as a table no spreadsheet runs', async () => {
    await server.call('POST', '/api/v1/auths/update/profile', {
      token: member,
      body: { name: '=1+1', profile_image_url: '/user.png' },
    })
    const reply = await server.call('GET', `${ROOT}/export?table=people`, { token: admin })
    expect(reply.headers.get('content-disposition')).toContain('analytics-people.csv')
    const lines = (await reply.text()).split('\r\n')
    expect(lines[0]).toBe('name,email,answers,input_tokens,output_tokens,total_tokens,cost')
    expect(lines[1]).toMatch(/^Ada,.*,3,1000003,500004,1500007,2\.0000 EUR$/)
    expect(lines[2]).toMatch(/^'=1\+1,/)
  })

  it('are nobody’s when they are switched off', async () => {
    expect((await read('/summary', member)).status).toBe(401)
    await server.context.settings.update({ ENABLE_ADMIN_ANALYTICS: false })
    expect((await read('/summary')).status).toBe(403)
    await server.context.settings.update({ ENABLE_ADMIN_ANALYTICS: null })
    expect((await read('/summary')).status).toBe(200)
  })
})

it('tokens are read from any form in which a provider reports them', async () => {
  const { storage } = server.context
  const reported: readonly (readonly [unknown, number])[] = [
    [{ input_tokens: 12.9 }, 12],
    [{ input_tokens: 1000, prompt_tokens: 5 }, 1000],
    [{ input_tokens: null, prompt_tokens: 5 }, 5],
    [{ prompt_eval_count: 8 }, 8],
    [{ input_tokens: true }, 1],
    [{ input_tokens: false, prompt_tokens: 5 }, 0],
    [{ input_tokens: '17 tokens' }, 17],
    [{ input_tokens: -4 }, 0],
    [{ input_tokens: [7] }, 0],
    [{ input_tokens: { value: 7 } }, 0],
    [{ input_tokens: '' }, 0],
    [{ input_tokens: '\u0000' }, 0],
    [{ input_tokens: 99_999_999_999 }, 1_000_000_000],
    [{ input_tokens: 1e300 }, 1_000_000_000],
    [{ total_tokens: 9 }, 0],
    ['none', 0],
    [[1], 0],
    [null, 0],
    [undefined, 0],
  ]
  await storage
    .prepare(
      'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at, deleted_at) ' +
        "values ('reports', ?, '', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 1, 1, 1)",
    )
    .run(memberId)
  const add = storage.prepare(
    "insert into message (chat_id, id, role, content, timestamp, extra) values ('reports', ?, 'assistant', '', 1, ?)",
  )
  for (const [place, [usage]] of reported.entries())
    await add.run(`r${place}`, JSON.stringify({ usage }))
  const counted = storage
    .prepare<[], number>(
      `select ${storage.dialect.tokens('input')} from message where chat_id = 'reports' order by seq`,
    )
    .pluck()
  expect(await counted.all()).toEqual(reported.map(([, tokens]) => tokens))
})

it.skipIf(isOnPostgres)(
  'are counted beside the event loop, from an index without the texts',
  async () => {
    const { storage } = server.context
    const here = vi.spyOn(storage, 'all')
    const beside = vi.spyOn(storage, 'allBeside')
    for (const path of ['/summary', '/users', '/daily', '/tokens', '/models/north/chats'])
      await read(`${path}?start_date=${now - DAY}`)
    const texts = beside.mock.calls.map(([query]) => query.compile())
    expect(texts.length).toBeGreaterThanOrEqual(7)
    expect(here.mock.calls.map(([query]) => query.compile().sql)).not.toContainEqual(
      expect.stringContaining('"message"'),
    )
    for (const { sql, parameters } of texts) {
      const plan = storage.sqlite.prepare(`explain query plan ${sql}`).all(parameters) as {
        detail: string
      }[]
      expect(plan.map(({ detail }) => detail).join('\n'), sql).toMatch(
        /message USING (COVERING )?INDEX message_answers \(timestamp>\?/,
      )
      // Nothing parses the fields of a message.
      const steps = storage.sqlite.prepare(`explain ${sql}`).all(parameters) as {
        p4: string | null
      }[]
      expect(steps.filter(({ p4 }) => p4?.startsWith('->>'))).toEqual([])
    }
  },
)

it.runIf(isOnPostgres)('are counted in one pass over the answers without statistics', async () => {
  const { storage } = server.context
  const numbers = (last: number) =>
    `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${last})`
  await storage
    .prepare(
      `insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ${numbers(200)} ` +
        "select 'many-' || i, ?, '', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 1, i from numbers",
    )
    .run(memberId)
  await storage
    .prepare(
      `insert into message (chat_id, id, role, content, timestamp, extra) ${numbers(1000)} ` +
        "select 'many-' || (1 + i % 200), 'a' || i, 'assistant', repeat('long ', 60), 1, '{}' from numbers",
    )
    .run()
  const beside = vi.spyOn(storage, 'allBeside')
  for (const path of ['/summary', '/users', '/daily', '/tokens', '/models/north/chats'])
    await read(path)
  const queries = beside.mock.calls.map(([query]) => query.compile())
  expect(queries.length).toBeGreaterThanOrEqual(7)
  for (const { sql, parameters } of queries) {
    const plan = storage
      .prepare<unknown[], string>(`explain verbose ${sql.replaceAll(/\$\d+/g, '?')}`)
      .pluck()
    const steps = (await plan.all(...parameters)).join('\n')
    expect(steps, sql).not.toMatch(/Cond: .*chat_id = chat\.id/)
    // Nothing parses the fields of a message.
    expect(steps, sql).not.toMatch(/->>|whole_number|token_count/)
  }
})

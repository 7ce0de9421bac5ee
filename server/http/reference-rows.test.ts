import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyShape } from '../testing/any-shape.ts'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'

/**
 * Behaviour that clients written for the reference system rely on beyond its description, with a
 * call for each. Rows with a test of their own: completions of the runtime and settings of
 * providers (`alike-providers.test.ts`), plugins (`plugins/alike.test.ts`), memories in answers
 * (`completions/prepare/presets.test.ts`), the responses format (`dialects/responses/relayed.test.ts`),
 * parts and calls in stored answers (`completions/deliver/owned.test.ts`, `tools/tool-loop.test.ts`),
 * repeated calls (`upstream-retries.test.ts`).
 */
type Fields = Record<string, AnyShape>

let proxies: Proxies
let member: string
beforeAll(async () => {
  proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
  member = await proxies.addUser('Eve')
})
afterAll(() => proxies.close())

const get = async (path: string, token?: string) =>
  (await proxies.get<Fields>(`/api/v1/${path}`, token)).body
const post = async (path: string, body: unknown = {}, token?: string) =>
  (await proxies.post<Fields>(`/api/v1/${path}`, body, token)).body
const statusOf = async (path: string, body: unknown) =>
  (await proxies.post(`/api/v1/${path}`, body)).status

async function upload(name: string, content: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), name)
  const headers = { Authorization: `Bearer ${proxies.admin}` }
  const url = `${proxies.server.url}/api/v1/files/?process_in_background=false`
  return (
    (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as { id: string }
  ).id
}

const newChat = (title: string): Promise<Fields> =>
  post('chats/new', {
    chat: {
      title,
      models: ['llama:8b'],
      tags: ['tea'],
      history: {
        currentId: 'a',
        messages: {
          q: {
            id: 'q',
            role: 'user',
            content: 'Hi',
            parentId: null,
            childrenIds: ['a'],
            timestamp: 100,
          },
          a: {
            id: 'a',
            role: 'assistant',
            content: 'Hello',
            model: 'llama:8b',
            parentId: 'q',
            childrenIds: [],
            timestamp: 104,
            done: true,
          },
        },
      },
    },
  })

const GRANT = [
  'created_at',
  'id',
  'permission',
  'principal_id',
  'principal_type',
  'resource_id',
  'resource_type',
]
const EVERYBODY = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]

test('1: tags in the body of a chat are left alone when it is changed', async () => {
  const { id } = await newChat('Tagged')
  await post(`chats/${id}`, { chat: { title: 'Tagged twice', tags: [] } })
  expect((await get(`chats/${id}/tags`)).map(({ name }: Fields) => name)).toEqual(['tea'])
})

test('2, 13, 14: a folder is compared with a collection by path, and files and directories are listed with who made them', async () => {
  const { id } = await post('knowledge/create', { name: 'Pumps', description: '' })
  const file = await upload('pump.md', 'The pump is cleaned with vinegar.')
  expect((await proxies.post(`/api/v1/knowledge/${id}/file/add`, { file_id: file })).status).toBe(
    200,
  )
  expect((await proxies.post(`/api/v1/knowledge/${id}/file/add`, { file_id: file })).status).toBe(
    200,
  )
  const directory = await post(`knowledge/${id}/dirs/create`, { name: 'old' })
  expect(directory).toHaveProperty('user_id')
  const manifest = [{ path: '', filename: 'pump.md', checksum: 'other', size: 3 }]
  const difference = await post(`knowledge/${id}/sync/diff`, { manifest })
  expect(Object.keys(difference).toSorted()).toEqual([
    'added',
    'deleted',
    'directory_map',
    'mkdir',
    'modified',
    'rmdir',
    'unmodified_count',
  ])
  expect(difference['modified']).toMatchObject([
    { filename: 'pump.md', path: '', stale_file_id: file },
  ])
  expect(difference['deleted']).toEqual([])
  const listed = await get(`knowledge/${id}/files`)
  expect(listed).toMatchObject({
    total: 1,
    items: [{ id: file, user: { name: 'Ada' } }],
    directories: [{ name: 'old' }],
    breadcrumbs: [],
  })
  expect(
    await post(`knowledge/${id}/file/move`, { file_id: file, directory_id: directory['id'] }),
  ).toEqual({ status: true })
})

test('4, 29: notes tell their times in nanoseconds, and a pin is per person', async () => {
  const note = await post('notes/create', { title: 'N', data: {}, access_grants: EVERYBODY })
  expect(String(note['created_at'])).toMatch(/^\d{19}$/)
  expect(String(note['updated_at'])).toMatch(/^\d{19}$/)
  await post(`notes/${note['id']}/pin`)
  expect((await get('notes/pinned')).map(({ id }: Fields) => id)).toEqual([note['id']])
  expect(await get('notes/pinned', member)).toEqual([])
})

test('5, 35: memories are found by what they mean, and listed as they came', async () => {
  await post('memories/add', { content: 'Enjoys drinking green tea' })
  await post('memories/add', { content: 'Has a brother in Lisbon' })
  const found = await post('memories/query', { content: 'Which drink do I enjoy?', k: 2 })
  expect(found['documents'][0][0]).toBe('Enjoys drinking green tea')
  for (const each of found['distances'][0]) expect(each >= 0 && each <= 1).toBe(true)
  expect((await get('memories/')).map(({ content }: Fields) => content)).toEqual([
    'Enjoys drinking green tea',
    'Has a brother in Lisbon',
  ])
})

test('6, 7: grants are whole records, also in lists of models, and addresses are for administrators and the person alone', async () => {
  await post('models/create', {
    id: 'tutor',
    base_model_id: 'llama:8b',
    name: 'Tutor',
    meta: {},
    params: {},
    access_grants: EVERYBODY,
  })
  await post('models/create', {
    id: 'llama:8b',
    name: 'Llama',
    meta: {},
    params: {},
    access_grants: EVERYBODY,
  })
  const { data } = (await proxies.get<Fields>('/api/models')).body
  const listed = data.find(({ id }: Fields) => id === 'tutor')
  expect(Object.keys(listed.info.access_grants[0]).toSorted()).toEqual(GRANT)
  for (const [token, isTold] of [
    [proxies.admin, true],
    [member, false],
  ] as const) {
    const { items } = await get('models/list', token)
    const { user } = items.find(({ id }: Fields) => id === 'tutor')
    expect([user.name, 'email' in user, 'role' in user]).toEqual(['Ada', isTold, isTold])
  }
})

test('9: shared chats tell their chat, and with whom they are shared', async () => {
  const { id } = await newChat('Shared')
  await post(`chats/${id}/share`)
  const items = await get('chats/shared')
  expect((items['items'] ?? items)[0]).toMatchObject({ chat_id: id, share_id: expect.any(String) })
  expect(Array.isArray(await get(`chats/shared/${id}/access`))).toBe(true)
})

test('15, 16, 34, 35: ratings come in pages with who gave them, and count for the models beside the rated one', async () => {
  expect(await statusOf('evaluations/feedback', {})).toBe(422)
  const data = { rating: 1, model_id: 'tutor', sibling_model_ids: ['cloud'] }
  await post('evaluations/feedback', { type: 'rating', data, meta: {}, snapshot: {} })
  expect(await get('evaluations/feedbacks/user')).toMatchObject({ total: 1, items: [{ data }] })
  expect(await get('evaluations/feedbacks/list')).toMatchObject({
    items: [{ user: { email: 'ada@example.com', created_at: expect.any(Number) } }],
  })
  const { entries } = await get('evaluations/leaderboard')
  const counts = Object.fromEntries(
    entries.map(({ model_id: id, won, lost }: Fields) => [id, [won, lost]]),
  )
  expect(counts).toMatchObject({ tutor: [1, 0], cloud: [0, 1] })
})

test('17, 18, 19: people and groups are full records, the oldest account first', async () => {
  const group = await post('groups/create', { name: 'Team', description: 'Ours' })
  await post(`groups/id/${group['id']}/update`, {
    name: 'Team',
    description: 'Ours',
    user_ids: [(await get('auths/', member))['id']],
  })
  expect((await get('users/groups', member))[0]).toMatchObject({
    id: group['id'],
    user_id: expect.any(String),
    created_at: expect.any(Number),
  })
  const { users } = await get('users/')
  expect(users.map(({ name }: Fields) => name)).toEqual(['Ada', 'Eve'])
  expect((await get('users/?order_by=name'))['users'].map(({ name }: Fields) => name)).toEqual([
    'Eve',
    'Ada',
  ])
  const eve = await get(`users/${users[1].id}`)
  expect(eve).toMatchObject({
    is_active: expect.any(Boolean),
    groups: [{ id: group['id'] }],
    last_active_at: expect.any(Number),
  })
  expect((await post(`groups/id/${group['id']}/users`))[0]).toMatchObject({
    name: 'Eve',
    is_active: expect.any(Boolean),
    groups: [{ id: group['id'], name: 'Team' }],
    last_active_at: expect.any(Number),
  })
})

test.each(['/user.png', '/static/user.png', '/static/favicon.png'])(
  '20: %s is a PNG',
  async (path) => {
    const response = await proxies.server.call('GET', path, { token: proxies.admin })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  },
)

test('24, 27: an import of another tree and an event without data are refused', async () => {
  expect(await statusOf('configs/import', { config: { ui: { enable_signup: true } } })).toBe(400)
  const { id } = await newChat('Event')
  expect(await statusOf(`chats/${id}/messages/a/event`, { type: 'status' })).toBe(422)
})

test('28: settings of the interface are merged at the top', async () => {
  await post('users/user/settings/update', { ui: { a: 1 }, tools: { b: 2 } })
  await post('users/user/settings/update', { ui: { c: 3 } })
  expect(await get('users/user/settings')).toMatchObject({ ui: { c: 3 }, tools: { b: 2 } })
})

test('31: members are shown which functions are in use, without their source', async () => {
  const listed = await get('functions/', member)
  expect(listed.map(({ id }: Fields) => id)).toContain('guide')
  expect(listed[0]).not.toHaveProperty('content')
})

test('33: statistics of chats tell models, how long answers took, and numbers for times', async () => {
  const { items } = await get('chats/stats/usage')
  expect(items[0]).toMatchObject({
    models: expect.anything(),
    average_response_time: expect.any(Number),
    last_message_at: expect.any(Number),
  })
})

test('35: the first page has two numbers, and reindexing tells how many', async () => {
  expect(await get('chats/?page=0')).toEqual(await get('chats/?page=1'))
  expect(await post('knowledge/metadata/reindex')).toMatchObject({
    total: expect.any(Number),
    success: expect.any(Number),
  })
})

test('35: the preview of a group has what is shared with it and with everybody', async () => {
  const { id } = await post('groups/create', { name: 'Readers', description: '' })
  const toGroup = [{ principal_type: 'group', principal_id: id, permission: 'read' }]
  const make = async (name: string, access_grants: object[]): Promise<string> =>
    (await post('knowledge/create', { name, description: '', access_grants }))['id']
  const [theirs, everybodys] = [await make('Theirs', toGroup), await make('All', EVERYBODY)]
  await make('Private', [])
  await post('models/create', {
    id: 'reader',
    base_model_id: 'llama:8b',
    name: 'Reader',
    meta: {},
    params: {},
    access_grants: toGroup,
  })
  const preview = await get(`groups/id/${id}/preview`)
  expect(preview).toMatchObject({ group: { id }, permissions: { chat: expect.any(Object) } })
  expect(preview['models']).toContainEqual({ id: 'reader', name: 'Reader' })
  expect(preview['knowledge']).toEqual([
    { id: everybodys, name: 'All' },
    { id: theirs, name: 'Theirs' },
  ])
  expect(preview['tools']).toEqual([])
})

test('35: a program that comes with a key is told this key as its token', async () => {
  expect(await get('auths/', proxies.key)).toMatchObject({ name: 'Ada', token: proxies.key })
})

test('37: the size of pieces stands beside what it counts', async () => {
  const set = await post('retrieval/config/update', {
    CHUNK_SIZE: 1000,
    TEXT_SPLITTER: 'character',
  })
  expect(set).toMatchObject({ CHUNK_SIZE: 1000, TEXT_SPLITTER: 'character' })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

const CHATS = 200
const PASSWORD = 'correct horse battery'
let server: TestServer
let root: string

beforeAll(async () => {
  server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
  root = await server.signUp('Root')
  await server.context.settings.update({ ENABLE_SIGNUP: true })
  await server.context.groups.updateDefaultPermissions({ workspace: { prompts: true } })
})
afterAll(() => server.close())

const idOf = async (email: string): Promise<string> =>
  (await server.context.users.findByEmail(email))!.id
const rows = (text: string, ...values: unknown[]): number =>
  server.context.storage.sqlite
    .prepare<unknown[], number>(`select count(*) from ${text}`)
    .pluck()
    .get(...values)!
async function get<Body>(path: string, token: string): Promise<{ status: number; body: Body }> {
  const response = await server.call('GET', `/api/v1${path}`, { token })
  return { status: response.status, body: (await response.json()) as Body }
}

/** Stores so many messages that they never fit into the first slice. */
function fill(userId: string, prefix: string): void {
  const { sqlite } = server.context.storage
  sqlite.transaction(() => {
    const chat = sqlite.prepare(
      'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ' +
        "values (?, ?, 'About whales', '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', 1, 1)",
    )
    const message = sqlite.prepare(
      "insert into message (chat_id, id, role, timestamp, content, extra) values (?, ?, 'user', 1, 'whales sing', '{}')",
    )
    const words = sqlite.prepare(
      "insert into message_search (rowid, owner, content) values (?, ?, 'whales sing')",
    )
    for (let place = 0; place < CHATS; place += 1) {
      const id = `${prefix}-${place}`
      chat.run(id, userId)
      for (let each = 0; each < 20; each += 1)
        words.run(message.run(id, `m${each}`).lastInsertRowid, prefix)
    }
  })()
}

it('an account with much in it is gone for everybody with the answer, its rows go in the background, and its address is free', async () => {
  const leaver = await server.signUp('Leaver')
  const stayer = await server.signUp('Stayer')
  const [gone, kept] = [await idOf('leaver@example.com'), await idOf('stayer@example.com')]
  fill(gone, 'gone')
  fill(kept, 'kept')
  const share = await server.call('POST', '/api/v1/chats/gone-0/share', { token: leaver })
  const { id: shareId } = (await share.json()) as { id: string }
  const prompt = { command: 'bye', name: 'Bye', content: 'Bye' }
  expect(
    (await server.call('POST', '/api/v1/prompts/create', { token: leaver, body: prompt })).status,
  ).toBe(200)

  // Simulates another writer: the thread yields, so the test sees its work half done.
  const { writeTurns } = server.context.storage
  Atomics.add(writeTurns, 0, 1)
  const reply = await server.call('DELETE', `/api/v1/users/${gone}`, { token: root })
  expect([reply.status, await reply.json()]).toEqual([200, true])
  expect(rows('message where chat_id glob ?', 'gone-*')).toBeGreaterThan(0)
  expect((await get<{ kind: string; title: string }[]>('/deletions', root)).body).toMatchObject([
    { kind: 'account', title: 'Leaver' },
  ])
  expect((await get('/deletions', stayer)).body).toEqual([])
  expect((await get('/chats/', leaver)).status).toBe(401)
  expect((await get('/chats/all', leaver)).status).toBe(401)
  expect(
    (await get<{ users: { id: string }[] }>('/users/all', root)).body.users.map(({ id }) => id),
  ).not.toContain(gone)
  expect((await get(`/users/${gone}`, root)).status).toBe(404)
  expect((await get<unknown[]>(`/chats/list/user/${gone}`, root)).body).toEqual([])
  expect((await get(`/chats/share/${shareId}`, stayer)).status).toBe(404)
  expect(
    (await server.call('POST', '/api/v1/prompts/create', { token: stayer, body: prompt })).status,
  ).toBe(200)
  Atomics.sub(writeTurns, 0, 1)
  Atomics.notify(writeTurns, 0)
  const signIn = { email: 'leaver@example.com', password: PASSWORD }
  expect((await server.call('POST', '/api/v1/auths/signin', { body: signIn })).status).toBe(400)

  const again = await server.signUp('Leaver')
  expect(await idOf('leaver@example.com')).not.toBe(gone)
  expect((await get<unknown[]>('/chats/', again)).body).toEqual([])
  expect((await get<unknown[]>('/chats/search?text=whales', again)).body).toEqual([])

  await server.context.storage.deletions.settled()
  expect((await get('/deletions', root)).body).toEqual([])
  expect([
    rows('user where id = ?', gone),
    rows('chat where user_id = ?', gone),
    rows('message where chat_id glob ?', 'gone-*'),
  ]).toEqual([0, 0, 0])
  expect([
    rows('chat where user_id = ?', kept),
    rows('message where chat_id glob ?', 'kept-*'),
  ]).toEqual([CHATS, CHATS * 20])
  expect(rows('message_search_docsize')).toBe(CHATS * 20)
  server.context.storage.sqlite.exec(
    "insert into message_search (message_search) values ('integrity-check')",
  )
}, 60_000)

it('nothing can be written for an account whose rows are being removed', async () => {
  await server.signUp('Writer')
  const id = await idOf('writer@example.com')
  fill(id, 'writer')
  const removed = server.context.users.remove(id)
  await expect(() => server.context.chats.create(id, { title: 'Too late' })).rejects.toThrow(
    'was deleted',
  )
  await removed
  await server.context.storage.deletions.settled()
  expect(rows('chat where user_id = ?', id)).toBe(0)
})

it('an import that is under way when its account is deleted is answered 401, and stores nothing', async () => {
  const token = await server.signUp('Importer')
  const id = await idOf('importer@example.com')
  const chats = Array.from({ length: 200 }, (_, place) => ({
    id: `import-${place}`,
    title: `Import ${place}`,
    chat: {
      title: `Import ${place}`,
      history: {
        currentId: 'm',
        messages: { m: { id: 'm', role: 'user', content: 'x', parentId: null, childrenIds: [] } },
      },
    },
  }))
  const read = await fetch(`${server.url}/api/v1/chats/imports`, {
    method: 'POST',
    body: JSON.stringify(chats),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
  })
  const archive = (await read.json()) as { import_id: string }
  const reply = server.call('POST', `/api/v1/chats/imports/${archive.import_id}/run`, {
    token,
    body: { all: true },
  })
  while (rows('chat where user_id = ?', id) === 0) await new Promise(setImmediate)
  await server.context.users.remove(id)
  const refused = await reply
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { detail: 'This account no longer exists.' },
  ])
  await server.context.storage.deletions.settled()
  expect(rows('chat where user_id = ?', id)).toBe(0)
})

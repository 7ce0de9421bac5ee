import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const MANY = 6000
let server: TestServer
let token: string
let userId: string

const each = (insert: string): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${MANY}) ${insert} from numbers where true`
const run = (text: string, ...values: unknown[]) =>
  server.context.storage.sqlite.prepare(text).run(...values)
const insertChats = (kind: string, archived: number, shareId: string): unknown =>
  run(
    each(
      'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, archived, share_id, created_at, updated_at) ' +
        `select '${kind}-' || n, ?, 'A title', '[]', '{}', '[]', '["work"]', 1, '{}', '{}', '{}', ${archived}, ${shareId}, 1, ${MANY} - n`,
    ),
    userId,
  )

beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
  userId = (await server.context.users.findByEmail('ada@example.com'))!.id
  await server.context.storage.transaction(async () => {
    insertChats('archived', 1, 'null')
    insertChats('shared', 0, `'share-' || n`)
    run(
      each(
        "insert into user (id, email, name, role, is_first, created_at, updated_at) select 'user-' || n, n || '@example.com', 'User', 'user', 0, 9999999999 + n, 1",
      ),
    )
  })
})
afterAll(() => server.close())

const trash = (id: string) => run('update chat set deleted_at = 1 where id = ?', id)
const forget = (id: string) =>
  run("update user set deleted_at = 1, email = 'deleted' where id = ?", id)

test.each([
  {
    name: 'archived chats',
    path: '/api/v1/chats/archived',
    first: 'archived-1',
    last: `archived-${MANY}`,
    remove: trash,
  },
  {
    name: 'shared chats',
    path: '/api/v1/chats/shared',
    first: 'shared-1',
    last: `shared-${MANY}`,
    remove: trash,
  },
  {
    name: 'chats of a person',
    path: '/api/v1/chats/list/user/USER',
    first: 'shared-1',
    last: `shared-${MANY - 1}`,
    remove: trash,
  },
  {
    name: 'accounts',
    path: '/api/v1/users/all',
    first: 'user-1',
    last: `user-${MANY}`,
    remove: forget,
  },
])(
  '$name are read a part at a time: what goes away while the first are sent is not among the others',
  async ({ path, first, last, remove }) => {
    const response = await server.call('GET', path.replace('USER', userId), { token })
    remove(last)
    const body = (await response.json()) as { id: string }[] | { users: { id: string }[] }
    const ids = new Set((Array.isArray(body) ? body : body.users).map(({ id }) => id))
    expect([response.status, ids.has(first), ids.has(last)]).toEqual([200, true, false])
  },
)

test('models, of which each may be long, are sent one at a time', async () => {
  const params = { system: 'x'.repeat(500_000) }
  for (const id of ['one', 'two', 'three']) {
    const body = { id, name: id, base_model_id: 'guide', params }
    expect((await server.call('POST', '/api/v1/models/create', { token, body })).status).toBe(200)
  }
  const response = await server.call('GET', '/api/v1/models/list', { token })
  expect(response.headers.get('content-length')).toBeNull()
  expect(await response.json()).toMatchObject({ items: { length: 3 }, total: 3 })
})

import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { StarredMessage } from '#contract/chat-lists.ts'
import { migration } from '../../storage/migrations/0038-starred-messages.ts'
import { isOnPostgres } from '../../testing/create-test-storage.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { StarredStore } from './store.ts'

let server: TestServer
let owner: string
let other: string
let people = 0

beforeAll(async () => {
  server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
  await server.signUp('Root')
  await server.context.settings.update({ ENABLE_SIGNUP: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  people += 1
  owner = await server.signUp(`Owner ${people}`)
  other = await server.signUp(`Other ${people}`)
})

async function call<Body>(method: string, path: string, body?: unknown, token = owner) {
  const response = await server.call(method, `/api/v1/chats${path}`, { token, body })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}
const starred = (query = '', token = owner) =>
  call<StarredMessage[]>('GET', `/starred${query}`, undefined, token)
const idsOf = async (query = '', token = owner) =>
  (await starred(query, token)).map(({ message_id: id }) => id)
const place = { childrenIds: [], parentId: null, timestamp: 10 }
const create = async (title: string, messages: Record<string, object>): Promise<string> => {
  const chat = {
    title,
    models: ['m'],
    history: {
      messages: Object.fromEntries(
        Object.entries(messages).map(([id, message]) => [
          id,
          { role: 'user', ...place, ...message },
        ]),
      ),
    },
  }
  return (await call<{ id: string }>('POST', '/new', { chat })).id
}
const patch = (chatId: string, messages: Record<string, object>) =>
  call('POST', `/${chatId}`, { chat: { history: { messages } } })

it('stars of all chats are one list, the last one first, with the chat and how the message begins', async () => {
  const blocks =
    '<details type="tool_calls" done="true">\n<summary>x</summary>\n</details>\nThe sum is 3.'
  const whales = await create('Whales', { a: { content: 'Whales sing' }, b: { content: blocks } })
  const birds = await create('Birds', { c: { content: 'Birds fly', favorite: true } })
  expect(await idsOf()).toEqual(['c'])
  await patch(whales, { a: { favorite: true } })
  await patch(whales, { b: { favorite: true } })
  expect(await idsOf()).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  expect((await starred()).find(({ message_id: id }) => id === 'b')).toMatchObject({
    chat_id: whales,
    title: 'Whales',
    excerpt: 'The sum is 3.',
    role: 'user',
    archived: false,
    timestamp: 10,
  })
  const moment = server.context.storage.prepare<[number, string, string]>(
    'update starred_message set starred_at = ? where seq = (select seq from message where chat_id = ? and id = ?)',
  )
  await moment.run(5, whales, 'a')
  await moment.run(7, birds, 'c')
  expect((await idsOf()).slice(-2)).toEqual(['c', 'a'])
  expect(await idsOf('?page=2')).toEqual([])
  expect(await idsOf('', other)).toEqual([])
})

it('a star that is taken away, a deleted message and a chat in the trash are not in it, and a new text is', async () => {
  const chat = await create('Whales', {
    a: { content: 'Whales sing', favorite: true },
    b: { content: 'They dive', favorite: true },
    c: { content: 'They swim', favorite: true, sources: [{ favorite: true }] },
  })
  await patch(chat, { a: { favorite: false }, c: { content: 'They swim fast' } })
  const byId = new Map((await starred()).map((row) => [row.message_id, row]))
  expect([...byId.keys()].toSorted()).toEqual(['b', 'c'])
  expect(byId.get('c')!.excerpt).toBe('They swim fast')
  await patch(chat, { c: { favorite: null } })
  expect(await idsOf()).toEqual(['b'])
  await call('DELETE', `/${chat}`)
  expect(await idsOf()).toEqual([])
  await call('POST', `/${chat}/restore`)
  expect(await idsOf()).toEqual(['b'])
  await call('DELETE', `/${chat}/messages/b`)
  expect(await idsOf()).toEqual([])
})

it('the search looks at the whole text and at the title, and takes nothing for an operator', async () => {
  const long = `${'word '.repeat(2000)}needle`
  await create('Whales 100%', {
    a: { content: long, favorite: true },
    b: { content: 'Something else', favorite: true },
    c: { content: 'needle without a star' },
  })
  await create('Birds', { d: { content: 'Nothing of that', favorite: true } })
  expect(await idsOf('?query=needle')).toEqual(['a'])
  expect((await idsOf('?query=whales')).toSorted()).toEqual(['a', 'b'])
  expect((await idsOf(`?query=${encodeURIComponent('100%')}`)).toSorted()).toEqual(['a', 'b'])
  expect(await idsOf(`?query=${encodeURIComponent('" OR owner : *')}`)).toEqual([])
  expect(await idsOf('?query=needle', other)).toEqual([])
})

it.skipIf(isOnPostgres)(
  'stars from before the list are in it, and reading it looks at no chat without one',
  async () => {
    await create('Old', { a: { content: 'Old star', favorite: true }, b: { content: 'None' } })
    const { sqlite } = server.context.storage
    sqlite.exec(
      'drop trigger message_comes_starred; drop trigger message_star_changes; drop table starred_message',
    )
    for (const statement of migration.statements) sqlite.exec(statement)
    expect(await idsOf()).toEqual(['a'])
    const plan = sqlite
      .prepare<[], { detail: string }>(
        'explain query plan select 1 from starred_message s cross join message m on m.seq = s.seq ' +
          "cross join chat c on c.id = m.chat_id where s.user_id = 'x' order by s.starred_at desc, s.seq desc limit 60",
      )
      .all()
      .map(({ detail }) => detail)
    expect(plan.join('\n')).not.toMatch(/SCAN|TEMP B-TREE/)
  },
)

it.runIf(isOnPostgres)(
  'reading them on PostgreSQL finds the chat of each by its id, without statistics',
  async () => {
    const { storage } = server.context
    await storage
      .prepare(
        "with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 500) insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) select 'many-' || i, u.id, '', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 1, i from numbers cross join (select id from \"user\" limit 1) u",
      )
      .run()
    const prepare = vi.spyOn(storage, 'prepare')
    const store = new StarredStore(storage)
    const statements = prepare.mock.calls.map(([statement]) => statement)
    prepare.mockRestore()
    expect(await store.page('x', { match: null, title: null, page: 1 })).toEqual([])
    const values = { userId: 'x', match: 'x', title: 'x', limit: 60, offset: 0 }
    for (const statement of statements) {
      const plan = await storage
        .prepare<[object], string>(`explain ${statement}`)
        .pluck()
        .all(values)
      expect(plan.join('\n')).not.toMatch(/ using chat_(?!id_key)/)
    }
  },
)

import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { countStatements } from '../testing/count-statements.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const MANY = 300
/** Enough for groups of 64 rows, and for what each call reads besides. */
const FEW = 30
const MESSAGES = 2000
const GROUP = 'crowd'

let server: TestServer
let token: string
let userId: string

/** Inserts a row for each number `n`. */
const insert = (into: string, values: string, count = MANY) =>
  server.context.storage
    .prepare(
      `insert into ${into} with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) ` +
        `select ${values} from numbers`,
    )
    .run(...(values.includes('?') ? [userId] : []))

const call = async (path: string) => {
  const method = path.startsWith('/groups/') ? 'POST' : 'GET'
  const reply = await server.call(method, `/api/v1${path}`, { token })
  // oxlint-disable-next-line typescript/no-explicit-any -- each list has another shape
  return { status: reply.status, body: (await reply.json()) as any }
}

beforeAll(async () => {
  server = await startTestServer({ environment: { ENABLE_CHANNELS: 'true' } })
  token = await server.signUp('Ada')
  userId = (await server.context.users.findByEmail('ada@example.com'))!.id
  await insert(
    '"user" (id, email, name, role, is_first, created_at, updated_at)',
    `'user-' || n, 'user-' || n || '@example.com', 'User', 'user', 0, 9999999999 + n, 1`,
  )
  await insert(`user_profile (user_id, bio)`, `'user-' || n, 'Bio ' || n`)
  await server.context.storage
    .prepare(
      "insert into user_group (id, user_id, name, description, permissions, data, meta, created_at, updated_at) values (?, ?, ?, '', '{}', '{}', '{}', 1, 1)",
    )
    .run(GROUP, userId, 'Crowd')
  await insert('user_group_member (group_id, user_id)', `'${GROUP}', 'user-' || n`)
  await insert(
    'note (id, user_id, title, data, meta, created_at, updated_at)',
    `'note-' || n, 'user-' || n, 'Note', '{"content":{"md":"text"}}', '{}', 1, n`,
  )
  await insert(
    'memory (id, user_id, content, created_at, updated_at)',
    `'memory-' || n, ?, 'memory ' || n, 1, 1`,
  )
  await insert(
    'prompt (id, user_id, command, name, content, tags, data, meta, version_id, created_at, updated_at)',
    `'prompt-' || n, 'user-' || n, '/c' || n, 'Prompt', 'text', '[]', '{}', '{}', 'v', 1, 1`,
  )
  await insert(
    'skill (id, user_id, name, description, content, meta, is_active, created_at, updated_at, revision)',
    `'skill-' || n, 'user-' || n, 'skill ' || n, '', 'text', '{}', 1, 1, 1, 1`,
  )
  await insert(
    'folder (id, user_id, name, created_at, updated_at)',
    `'folder-' || n, ?, 'Folder ' || n, 1, 1`,
  )
  await insert('blob (id, user_id, hash, size, created_at)', `'blob-' || n, ?, 'hash ' || n, 1, 1`)
  await insert(
    'file (id, user_id, blob_id, filename, name_key, content_type, kind, metadata, status, created_at, updated_at)',
    `'file-' || n, ?, 'blob-' || n, 'f.txt', 'f.txt', 'text/plain', 'document', '{}', 'completed', 1, n`,
  )
  await server.context.storage
    .prepare(
      "insert into knowledge (id, user_id, name, description, search_key, meta, created_at, updated_at) values ('shelf', ?, 'Shelf', '', 'shelf', '{}', 1, 1)",
    )
    .run(userId)
  await insert(
    'knowledge_file (knowledge_id, file_id, user_id, created_at)',
    `'shelf', 'file-' || n, ?, n`,
  )
  await insert(
    'chat (id, user_id, title, current_id, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at)',
    `'chat-' || n, ?, 'Chat', 'message-${MESSAGES}', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 1, n`,
  )
  await insert('chat_tag (chat_id, tag_id, user_id, name)', `'chat-' || n, 'tag-' || n, ?, 'Tag'`)
  await insert(
    'message (chat_id, id, parent_id, role, content, timestamp, extra)',
    `'chat-1', 'message-' || n, case when n > 1 then 'message-' || (n - 1) end, 'user', 'text', 1, '{}'`,
    MESSAGES,
  )
  await insert(
    'message (chat_id, id, parent_id, role, content, timestamp, extra)',
    `'chat-' || (n + 1), 'only', null, 'user', 'text', 1, '{}'`,
    MANY - 1,
  )
  await server.context.storage
    .prepare(
      "insert into channel (id, user_id, type, name, is_private, created_at, updated_at) values ('talk', ?, null, 'talk', 0, 1, 1)",
    )
    .run(userId)
  await insert(
    'channel_message (id, channel_id, user_id, content, created_at, updated_at)',
    `'talk-' || n, 'talk', 'user-' || n, 'text', 1000000 + n, 1000000 + n`,
  )
  for (const type of ['null', "'dm'"]) {
    const id = type === 'null' ? "'channel-' || n" : "'dm-' || n"
    await insert(
      'channel (id, user_id, type, name, is_private, created_at, updated_at)',
      `${id}, ?, ${type}, ${id}, 0, 1, 1`,
    )
    await insert(
      'channel_message (id, channel_id, user_id, content, created_at, updated_at)',
      `'in-' || ${id}, ${id}, 'user-1', 'text', 9000000000000000, 9000000000000000`,
    )
  }
  await insert(
    'channel_member (id, channel_id, user_id, is_active, joined_at, created_at, updated_at)',
    `'own-' || n, 'dm-' || n, ?, 1, 1, 1, 1`,
  )
  await insert(
    'channel_member (id, channel_id, user_id, is_active, joined_at, created_at, updated_at)',
    `'other-' || n, 'dm-' || n, 'user-' || n, 1, 1, 1, 1`,
  )
  await insert(
    'feedback (id, user_id, type, model_id, rating, data, meta, snapshot, created_at, updated_at)',
    `'rating-' || n, ?, 'rating', 'cloud', 1, '{"rating":1,"model_id":"cloud"}', '{}', '{"chat":{}}', n, n`,
  )
})
afterAll(() => server.close())

test.each([
  { path: '/evaluations/feedbacks/all/export', read: (body: unknown[]) => body.length },
  {
    path: '/evaluations/leaderboard',
    read: (body: { entries: { count: number }[] }) => body.entries[0]!.count,
  },
  { path: '/notes/', read: (body: unknown[]) => body.length },
  { path: '/memories/', read: (body: unknown[]) => body.length },
  { path: '/prompts/', read: (body: unknown[]) => body.length },
  { path: '/skills/', read: (body: unknown[]) => body.length },
  { path: '/folders/', read: (body: unknown[]) => body.length },
  { path: '/knowledge/shelf', read: (body: { files: unknown[] }) => body.files.length },
  { path: '/users/all', read: (body: { total: number }) => body.total - 1 },
  { path: `/groups/id/${GROUP}/users`, read: (body: unknown[]) => body.length },
  { path: '/chats/all/tags', read: (body: unknown[]) => body.length },
])('a list of many rows is read in few statements: $path', async ({ path, read }) => {
  const { storage } = server.context
  let found: unknown
  const statements = await countStatements(storage, async () => {
    const { status, body } = await call(path)
    found = status === 200 ? read(body) : body
  })
  expect(found).toBe(MANY)
  expect(statements).toBeLessThan(FEW)
})

it('a list of many channels is read in few statements', async () => {
  let listed: { unread_count: number; last_message_at: number | null; users: unknown }[] = []
  const statements = await countStatements(server.context.storage, async () => {
    listed = (await call('/channels/')).body
  })
  expect(listed).toHaveLength(2 * MANY + 1)
  const seen = listed.map((each) => each.unread_count)
  expect(seen.filter((count) => count === 1)).toHaveLength(2 * MANY)
  expect(listed.filter(({ users }) => users !== null)).toHaveLength(MANY)
  expect(statements).toBeLessThan(2 * FEW)
})

it('a page of a channel is read in few statements', async () => {
  let messages = 0
  const statements = await countStatements(server.context.storage, async () => {
    messages = (await call('/channels/talk/messages?limit=50')).body.length
  })
  expect(messages).toBe(50)
  expect(statements).toBeLessThan(FEW)
})

it('many members join and leave a group in few statements', async () => {
  const { storage, groups } = server.context
  const ids = Array.from({ length: MANY }, (_, place) => `user-${place + 1}`)
  await groups.update(GROUP, { user_ids: [] })
  const join = () => groups.changeMembers(GROUP, { add: [...ids, 'gone'] })
  const leave = () => groups.changeMembers(GROUP, { remove: ids.slice(1) })
  expect(await countStatements(storage, join)).toBeLessThan(FEW)
  expect((await groups.membersOf(GROUP)).size).toBe(MANY)
  expect(await countStatements(storage, leave)).toBeLessThan(FEW)
  expect([...(await groups.membersOf(GROUP))]).toEqual(['user-1'])
})

it('of all chats each is read in few statements', async () => {
  let chats: unknown[] = []
  const statements = await countStatements(server.context.storage, async () => {
    chats = (await call('/chats/all')).body
  })
  expect(chats).toHaveLength(MANY)
  expect(statements).toBeLessThan(4 * MANY + (2 * MESSAGES) / 64 + FEW)
})

it('a long chat is read without a statement for the sizes of each page', async () => {
  let messages = 0
  const statements = await countStatements(server.context.storage, async () => {
    messages = (await call('/chats/chat-1')).body.chat.messages.length
  })
  expect(messages).toBe(MESSAGES)
  expect(statements).toBeLessThan(MESSAGES / 64 + 12)
})

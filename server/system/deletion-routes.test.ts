import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Deletion } from '#contract/deletions.ts'
import { nowSeconds } from '../lib/ids.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

/** So many that they never fit into the first slice. */
const ROWS = 20_000
const FOLDERS = 4000
let server: TestServer
let root: string
let owner: string
let other: string

beforeAll(async () => {
  server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
  root = await server.signUp('Root')
  await server.context.settings.update({ ENABLE_SIGNUP: true })
  owner = await server.signUp('Owner')
  other = await server.signUp('Other')
})
afterAll(() => server.close())

const idOf = async (name: string): Promise<string> =>
  (await server.context.users.findByEmail(`${name}@example.com`))!.id
const rows = (text: string, value: string): number =>
  server.context.storage.sqlite
    .prepare<[string], number>(`select count(*) from ${text}`)
    .pluck()
    .get(value)!
const remove = async (path: string, token: string): Promise<number> =>
  (await server.call('DELETE', `/api/v1/${path}`, { token })).status
async function kinds(token: string): Promise<string[]> {
  const reply = await server.call('GET', '/api/v1/deletions', { token })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as Deletion[]).map(({ kind }) => kind)
}

function fill(count: number, insert: (place: number) => void): void {
  server.context.storage.sqlite.transaction(() => {
    for (let place = 0; place < count; place += 1) insert(place)
  })()
}
function addTrashedChat(userId: string, id: string): void {
  const { sqlite } = server.context.storage
  const chat = sqlite.prepare(
    'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at, ' +
      "deleted_at) values (?, ?, 'A', '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', 1, 1, unixepoch())",
  )
  const message = sqlite.prepare(
    "insert into message (chat_id, id, role, timestamp, content, extra) values (?, ?, 'user', 1, 'whales', '{}')",
  )
  chat.run(id, userId)
  fill(ROWS, (place) => void message.run(id, `m${place}`))
}
function addLongFile(userId: string, id: string): void {
  const { sqlite } = server.context.storage
  sqlite
    .prepare('insert into blob (id, user_id, hash, size, created_at) values (?, ?, ?, 1, 1)')
    .run(id, userId, id)
  sqlite
    .prepare(
      'insert into file (id, user_id, blob_id, filename, name_key, content_type, kind, metadata, status, created_at, updated_at) ' +
        "values (?, ?, ?, 'a', 'a', 'text/plain', 'text', '{}', 'completed', 1, 1)",
    )
    .run(id, userId, id)
  const piece = sqlite.prepare(
    "insert into file_text (file_id, version, seq, text) values (?, 0, ?, 'whales')",
  )
  fill(ROWS, (place) => void piece.run(id, place))
}
function addTrashedFolder(userId: string, id: string): void {
  const { sqlite } = server.context.storage
  const folder = sqlite.prepare(
    'insert into folder (id, user_id, parent_id, name, created_at, updated_at, deleted_at) values (?, ?, ?, ?, 1, 1, ?)',
  )
  const now = nowSeconds()
  folder.run(id, userId, null, id, now)
  fill(FOLDERS, (place) => void folder.run(`${id}-${place}`, userId, id, `${place}`, now))
}
/** Simulates another writer: the thread yields, so the test sees its work half done. */
async function whileOthersWrite(work: () => Promise<void>): Promise<void> {
  const { writeTurns, deletions } = server.context.storage
  Atomics.add(writeTurns, 0, 1)
  try {
    await work()
  } finally {
    Atomics.sub(writeTurns, 0, 1)
    Atomics.notify(writeTurns, 0)
  }
  await deletions.settled()
}

it('everybody sees the removal of their own things, administrators that of all, and nobody else sees any', async () => {
  addTrashedChat(await idOf('owner'), 'long-chat')
  addLongFile(await idOf('other'), 'long-file')
  await whileOthersWrite(async () => {
    expect(await remove('chats/trash', owner)).toBe(200)
    expect(await remove('files/long-file', other)).toBe(200)
    expect(await kinds(owner)).toEqual(['chats'])
    expect(await kinds(other)).toEqual(['file'])
    expect(await kinds(root)).toEqual(['chats', 'file'])
    addLongFile(await idOf('other'), 'next-file')
    expect(await remove('files/all', root)).toBe(200)
    expect(await kinds(root)).toEqual(['chats', 'file', 'files'])
    expect(await kinds(other)).toEqual(['file'])
  })
  expect([await kinds(owner), await kinds(other), await kinds(root)]).toEqual([[], [], []])
  expect([
    rows('message where chat_id = ?', 'long-chat'),
    rows('file where user_id = ?', await idOf('other')),
  ]).toEqual([0, 0])
}, 30_000)

it('a file with a long text is gone with the answer, its rows go in the background', async () => {
  addLongFile(await idOf('owner'), 'one-file')
  await whileOthersWrite(async () => {
    expect(await remove('files/one-file', owner)).toBe(200)
    expect(rows('file_text where file_id = ?', 'one-file')).toBeGreaterThan(0)
    expect((await server.call('GET', '/api/v1/files/one-file', { token: owner })).status).toBe(404)
    expect(await remove('files/one-file', owner)).toBe(404)
  })
  expect(rows('file_text where file_id = ?', 'one-file')).toBe(0)
}, 30_000)

it('a folder of the trash with many inside is gone with the answer, its rows go in the background', async () => {
  addTrashedFolder(await idOf('owner'), 'wide')
  await whileOthersWrite(async () => {
    expect(await remove('folders/trash/wide', owner)).toBe(200)
    expect(rows('folder where user_id = ?', await idOf('owner'))).toBeGreaterThan(0)
    expect(
      (await server.call('POST', '/api/v1/folders/wide/restore', { token: owner })).status,
    ).toBe(404)
    const listed = await server.call('GET', '/api/v1/folders/trash', { token: owner })
    expect(await listed.json()).toEqual([])
  })
  expect(rows('folder where user_id = ?', await idOf('owner'))).toBe(0)
}, 30_000)

it('a deletion is listed until its words are gone from the indexes too', async () => {
  const { deletions } = server.context.storage
  addTrashedChat(await idOf('owner'), 'chat-with-words')
  const seen: (readonly [kind: string, left: number | null])[][] = []
  deletions.onErased(async () => {
    seen.push((await deletions.list()).map(({ kind, left }) => [kind, left]))
  })
  await whileOthersWrite(async () => {
    expect(await remove('chats/trash', owner)).toBe(200)
  })
  expect(seen.at(-1)).toEqual([['chats', 0]])
  expect(await kinds(owner)).toEqual([])
}, 30_000)

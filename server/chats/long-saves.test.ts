import Sqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import { startGatewayProcess } from '../testing/start-process.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const MANY = 2500
let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

const toMessages = (count: number, word: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, place) => {
      const links = {
        parentId: place === 0 ? null : `m${place - 1}`,
        childrenIds: place + 1 < count ? [`m${place + 1}`] : [],
      }
      return [
        `m${place}`,
        { id: `m${place}`, role: 'user', content: `${word} ${place}`, timestamp: 1, ...links },
      ]
    }),
  )
const toChat = (count: number, word: string) => ({
  title: `About ${word}`,
  history: { currentId: `m${count - 1}`, messages: toMessages(count, word) },
})

async function call<Body>(method: string, target: string, body?: object): Promise<Body> {
  const response = await server.call(method, `/api/v1/chats${target}`, { token, body })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}
const store = (count: number, word: string) =>
  call<Chat>('POST', '/new', { chat: toChat(count, word) })
const read = async (id: string) =>
  Object.values((await call<Chat>('GET', `/${id}`)).chat.history.messages)
const search = (text: string) => call<{ id: string }[]>('GET', `/search?text=${text}`)
const rows = (text: string, ...values: unknown[]): number =>
  server.context.storage.sqlite
    .prepare<unknown[], number>(`select count(*) from ${text}`)
    .pluck()
    .get(...values)!

/** Yields to the event loop until a condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate)
}

test('a long chat is stored a little at a time, and is seen by nobody before it is whole', async () => {
  const title = 'About herons'
  const chats = () => rows('chat where title = ? and deleted_at is null', title)
  const messages = () => rows('message where content glob ?', 'herons *')
  const stored = store(MANY, 'herons')
  await until(async () => messages() > 0)
  expect([messages() < MANY, chats()]).toEqual([true, 0])
  // Read directly: by the time a reply over HTTP arrives, the save may have ended.
  const { context } = server
  const listed = await context.chats.list(
    (await context.users.findByEmail('ada@example.com'))!.id,
    {},
  )
  expect(messages()).toBeLessThan(MANY)
  const { id } = await stored
  expect(listed.map((chat) => chat.id)).not.toContain(id)
  expect((await read(id)).map(({ content }) => content)).toEqual(
    Array.from({ length: MANY }, (_, place) => `herons ${place}`),
  )
  expect((await search('herons')).map((hit) => hit.id)).toContain(id)
})

test('an import of one long chat is stored a little at a time too', async () => {
  const imported = call<Chat[]>('POST', '/import', { chats: [{ chat: toChat(MANY, 'storks') }] })
  const messages = () => rows('message where content glob ?', 'storks *')
  await until(async () => messages() > 0)
  expect(messages()).toBeLessThan(MANY)
  const [chat] = await imported
  expect(await read(chat!.id)).toHaveLength(MANY)
})

test('a long chat whose account is deleted while it is stored is answered 401, and leaves nothing', async () => {
  await server.context.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
  const leaver = await server.signUp('Leaver')
  const id = (await server.context.users.findByEmail('leaver@example.com'))!.id
  const reply = server.call('POST', '/api/v1/chats/new', {
    token: leaver,
    body: { chat: toChat(MANY, 'swifts') },
  })
  await until(async () => rows('message where content glob ?', 'swifts *') > 0)
  await server.context.users.remove(id)
  expect((await reply).status).toBe(401)
  await server.context.storage.deletions.settled()
  expect([
    rows('chat where user_id = ?', id),
    rows('message where content glob ?', 'swifts *'),
  ]).toEqual([0, 0])
})

test('what others write to a chat while a long save of it is got ready is kept, and the save is whole', async () => {
  const { id } = await store(MANY, 'geese')
  const { chats } = server.context
  const before = rows('message where chat_id = ?', id)
  const owner = (await chats.ownerOf(id))!
  await chats.openAnswer({
    chatId: id,
    messageId: 'running',
    model: 'x',
    modelName: 'X',
    parentId: `m${MANY - 1}`,
  })
  await chats.saveAnswer(id, 'running', { content: 'Once' })

  const messages = { ...toMessages(MANY, 'ducks'), running: { id: 'running', note: 'sent' } }
  const reply = call<Chat>('POST', `/${id}`, { chat: { history: { messages } } })
  let turns = 0
  const others = until(async () => {
    turns += 1
    await chats.saveAnswer(id, 'running', { content: `Once upon ${turns}` })
    if (turns % 50 === 1)
      await chats.update(owner, id, {
        history: { messages: { [`other${turns}`]: { parentId: 'm0', content: 'theirs' } } },
      })
    return rows('message where chat_id = ? and content glob ?', id, 'ducks *') > 0
  })
  await Promise.all([others, reply])
  expect(turns).toBeGreaterThan(1)
  const read = (await chats.get(owner, id)).chat.history.messages
  expect(read['running']).toMatchObject({ content: `Once upon ${turns}`, note: 'sent' })
  expect(Object.values(read).filter(({ content }) => content === 'theirs')).toHaveLength(
    Math.ceil(turns / 50),
  )
  expect(rows('message where chat_id = ? and content glob ?', id, 'ducks *')).toBe(before)
})

test('a search finds what a long save changed, and not what stood there before', async () => {
  const { id } = await store(400, 'cranes')
  expect(await search('cranes')).not.toEqual([])
  await call('POST', `/${id}?reply=minimal`, {
    chat: { title: 'Birds', history: { messages: toMessages(400, 'owls') } },
  })
  await expect.poll(async () => (await search('owls')).map((hit) => hit.id)).toContain(id)
  await expect.poll(() => search('cranes')).toEqual([])
})

test('a gateway killed while it stores a long chat shows none of it afterwards and removes what there is of it', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-long-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const send = (url: string, target: string, body: object | undefined, bearer = '') =>
    fetch(url + target, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
      body: body && JSON.stringify(body),
    })
  const first = await startGatewayProcess({ DATA_DIR: dataDir })
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  const session = (await (await send(first.url, '/api/v1/auths/signup', account)).json()) as {
    token: string
  }
  const database = new Sqlite(path.join(dataDir, 'chat-gateway.db'), { readonly: true })
  onTestFinished(() => void database.close())
  const count = database.prepare<[], number>('select count(*) from message').pluck()
  const reply = send(
    first.url,
    '/api/v1/chats/new',
    { chat: toChat(5000, 'terns') },
    session.token,
  ).then(
    () => 'answered',
    () => 'cut off',
  )
  await until(async () => count.get()! > 0)
  await first.kill()
  expect([await reply, count.get()! > 0]).toEqual(['cut off', true])

  const second = await startGatewayProcess({ DATA_DIR: dataDir })
  onTestFinished(() => second.kill())
  for (const list of ['/api/v1/chats/', '/api/v1/chats/trash'])
    expect(await (await send(second.url, list, undefined, session.token)).json()).toEqual([])
  await expect.poll(() => count.get(), { timeout: 10_000 }).toBe(0)
})

test('all chats of a person are moved to the trash a little at a time', async () => {
  const many = 400
  const erin = await server.signUp('Erin')
  const { id: owner } = (await server.context.users.findByEmail('erin@example.com'))!
  const insert = server.context.storage.sqlite.prepare(
    'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ' +
      "values (?, ?, 'A', '[]', '{}', '[]', '[]', 0, ?, '{}', '{}', 1, 1)",
  )
  const extra = JSON.stringify({ note: 'x'.repeat(100_000) })
  for (let place = 0; place < many; place += 1) insert.run(`erin-${place}`, owner, extra)
  const inTrash = () => rows('chat where user_id = ? and deleted_at > 0', owner)
  const removed = server.call('DELETE', '/api/v1/chats/', { token: erin })
  await until(async () => inTrash() > 0)
  expect(inTrash()).toBeLessThan(many)
  expect((await removed).status).toBe(200)
  expect(inTrash()).toBe(many)
})

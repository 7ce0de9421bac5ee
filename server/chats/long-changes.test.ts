import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import type { ChatUsage } from '#contract/chat-lists.ts'
import { ListStore } from './lists/store.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

const MANY = 2500
const NOTE = 'further words of a message '.repeat(8)
let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

async function call<Body>(method: string, target: string, body?: object): Promise<Body> {
  const response = await server.call(method, `/api/v1${target}`, { token, body })
  expect([target, response.status]).toEqual([target, 200])
  return (await response.json()) as Body
}

const rows = (text: string, ...values: unknown[]): number =>
  server.context.storage.sqlite
    .prepare<unknown[], number>(`select count(*) from ${text}`)
    .pluck()
    .get(...values)!

/** Stores a thread of messages, and a branch of one message next to its first one. */
async function storeThread(word: string, count = MANY): Promise<string> {
  const messages = Object.fromEntries(
    Array.from({ length: count }, (_, place) => [
      `m${place}`,
      {
        id: `m${place}`,
        role: 'user',
        content: `${word} ${place}`,
        timestamp: 1,
        note: NOTE,
        parentId: place === 0 ? null : `m${place - 1}`,
      },
    ]),
  )
  const beside = {
    id: 'beside',
    role: 'user',
    content: `${word} beside`,
    timestamp: 1,
    parentId: null,
  }
  const history = { currentId: `m${count - 1}`, messages: { ...messages, beside } }
  return (await call<Chat>('POST', '/chats/new', { chat: { title: `About ${word}`, history } })).id
}

/** Records the value of a figure in each turn of the event loop until the work is done. */
async function watch<Result>(
  work: Promise<Result>,
  figure: () => number,
): Promise<{ result: Result; seen: number[] }> {
  const seen: number[] = []
  let timer = setImmediate(function look() {
    seen.push(figure())
    timer = setImmediate(look)
  })
  const result = await work.finally(() => clearImmediate(timer))
  return { result, seen }
}
const isBetween = (from: number, to: number) => (value: number) => value > from && value < to

test('a long chat is copied a little at a time, and the copy is seen by nobody before it is whole', async () => {
  const id = await storeThread('herons')
  const copies = () => rows("message where content glob 'herons *' and chat_id <> ?", id)
  const { result: copy, seen } = await watch(call<Chat>('POST', `/chats/${id}/clone`, {}), copies)
  expect(seen.some(isBetween(0, MANY + 1))).toBe(true)
  const original = await call<Chat>('GET', `/chats/${id}`)
  expect(copy.chat.history).toEqual(original.chat.history)
  const unseen = watch(call<Chat>('POST', `/chats/${id}/clone`, { title: 'Second' }), () =>
    rows("chat where title = 'Second' and deleted_at is null"),
  )
  expect((await unseen).seen.filter((count) => count === 0).length).toBeGreaterThan(2)
})

test('a long branch becomes a chat of its own a little at a time', async () => {
  const id = await storeThread('storks')
  const copies = () => rows("message where content glob 'storks *' and chat_id <> ?", id)
  const { result: fork, seen } = await watch(
    call<Chat>('POST', `/chats/${id}/fork`, { message_id: `m${MANY - 1}` }),
    copies,
  )
  expect(seen.some(isBetween(0, MANY))).toBe(true)
  expect(fork.chat.messages.map(({ content }) => content)).toEqual(
    Array.from({ length: MANY }, (_, place) => `storks ${place}`),
  )
  expect(fork.chat.history.messages).not.toHaveProperty('beside')
})

test('what a link shows is written and read a little at a time, and is of one moment', async () => {
  const id = await storeThread('terns')
  const pieces = () => rows('shared_piece where chat_id = ?', id)
  const share = () => call<Chat>('POST', `/chats/${id}/share`)
  const { result, seen } = await watch(share(), pieces)
  const whole = pieces()
  expect(whole).toBeGreaterThan(3)
  expect(seen.some(isBetween(0, whole))).toBe(true)
  const shown = () => call<Chat>('GET', `/chats/share/${result.share_id}`)
  const original = await call<Chat>('GET', `/chats/${id}`)
  expect((await shown()).chat).toEqual(original.chat)
  // Reads go on while the link is rewritten, by two calls at once.
  const [, , before] = await Promise.all([share(), share(), shown()])
  expect(before.chat).toEqual(original.chat)
  await call('POST', `/chats/${id}?reply=minimal`, { chat: { title: 'Renamed' } })
  await share()
  expect([
    (await shown()).title,
    pieces(),
    rows('(select distinct version from shared_piece where chat_id = ?)', id),
  ]).toEqual(['Renamed', whole, 1])
  const copy = await call<Chat>('POST', `/chats/${result.share_id}/clone/shared`)
  expect(Object.keys(copy.chat.history.messages)).toHaveLength(MANY + 1)
  await call('DELETE', `/chats/${id}/share`)
  expect(pieces()).toBe(0)
})

test('a message goes with all that follow it a little at a time, the last first, and the chat is whole at every moment', async () => {
  const id = await storeThread('swifts')
  const left = () => rows('message where chat_id = ?', id)
  const broken = () =>
    rows(
      'message m where chat_id = ? and parent_id is not null and not exists (select 1 from message p where p.chat_id = m.chat_id and p.id = m.parent_id)',
      id,
    )
  const orphans: number[] = []
  const { result: chat, seen } = await watch(
    call<Chat>('DELETE', `/chats/${id}/messages/m0`),
    () => {
      orphans.push(broken())
      return left()
    },
  )
  expect(seen.some(isBetween(1, MANY))).toBe(true)
  expect(new Set(orphans)).toEqual(new Set([0]))
  expect(Object.keys(chat.chat.history.messages)).toEqual(['beside'])
  expect(chat.chat.history.currentId).toBe('beside')
})

test('a list of chats with long titles and many tags is made a little at a time', async () => {
  const tags = Array.from({ length: 900 }, (_, place) => `tag ${place} ${'x'.repeat(180)}`)
  for (let place = 0; place < 60; place += 1)
    await server.context.chats.create(await ownerId(), { title: 'Tagged', tags })
  const reply = await server.call('GET', '/api/v1/chats/?page=1', { token })
  // A reply written in one slice would have a content-length header.
  expect(reply.headers.get('content-length')).toBeNull()
  const items = (await reply.json()) as { title: string; tags: string[] }[]
  expect(items.filter(({ title }) => title === 'Tagged')).toHaveLength(60)
  expect(items[0]!.tags).toHaveLength(900)
})

test('a folder of many chats goes to the trash and comes back a little at a time, with all of them', async () => {
  const { id: folderId } = await call<{ id: string }>('POST', '/folders/', { name: 'Birds' })
  for (let place = 0; place < 400; place += 1)
    await server.context.chats.create(await ownerId(), { title: `Bird ${place}` }, { folderId })
  const inside = () => rows('chat where folder_id = ? and deleted_at is null', folderId)
  const gone = await watch(call('DELETE', `/folders/${folderId}`), inside)
  expect(gone.seen.some(isBetween(0, 400))).toBe(true)
  expect([inside(), rows("chat where title glob 'Bird *' and deleted_at is not null")]).toEqual([
    0, 400,
  ])
  const back = await watch(call('POST', `/folders/${folderId}/restore`), inside)
  expect(back.seen.some(isBetween(0, 400))).toBe(true)
  expect([inside(), rows('folder_leaver where folder_id = ?', folderId)]).toEqual([400, 0])
})

test('long messages are counted a few at a time', async () => {
  const { id } = await call<Chat>('POST', '/chats/new', { chat: { title: 'Long' } })
  const long = 'x'.repeat(1_000_000)
  for (let place = 0; place < 12; place += 1) {
    const message = {
      role: 'assistant',
      model: place < 6 ? 'first' : 'second',
      content: 'ab',
      usage: { completion_tokens: 3 },
      long,
    }
    await call('POST', `/chats/${id}?reply=minimal`, {
      chat: { history: { messages: { [`m${place}`]: message } } },
    })
  }
  const result = await call<ChatUsage>('GET', `/chats/stats/export/${id}`)
  const lists = new ListStore(server.context.storage)
  const ends: number[] = []
  for (let end = await lists.endOfStep(id, 0); end !== null; end = await lists.endOfStep(id, end))
    ends.push(end)
  expect(ends).toHaveLength(6)
  expect(result).toMatchObject({
    history_assistant_message_count: 12,
    history_models: { first: 6, second: 6 },
    completion_tokens: 36,
  })
})

test('what a link shows of a long message is written in short pieces, with every id in it', async () => {
  const ids = Array.from({ length: 1000 }, () => randomUUID())
  const content = ids.map((id) => `${'\u{1F600}'.repeat(480)}${id}`).join('')
  const messages = { long: { id: 'long', role: 'user', content, parentId: null, childrenIds: [] } }
  const { id } = await call<Chat>('POST', '/chats/new', {
    chat: { title: 'Long', history: { currentId: 'long', messages } },
  })
  const { share_id: link } = await call<Chat>('POST', `/chats/${id}/share`)
  const { sqlite } = server.context.storage
  const longest = sqlite
    .prepare('select max(length(text)) from shared_piece where chat_id = ?')
    .pluck()
    .get(id) as number
  expect(longest).toBeLessThanOrEqual(256 * 1024)
  const mentions = sqlite
    .prepare('select mentions from shared_chat where chat_id = ?')
    .pluck()
    .get(id) as string
  const known = new Set(mentions.split(' '))
  expect(ids.filter((each) => !known.has(each))).toEqual([])
  expect(
    (await call<Chat>('GET', `/chats/share/${link}`)).chat.history.messages['long']!.content,
  ).toBe(content)
  const copy = await call<Chat>('POST', `/chats/${id}/clone`, {})
  expect(copy.chat.history.messages['long']!.content).toBe(content)
})

const ownerId = async (): Promise<string> =>
  (await server.context.users.findByEmail('ada@example.com'))!.id

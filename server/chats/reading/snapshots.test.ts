import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestChats, type TestChats } from '../../testing/create-test-chats.ts'
import { isOnPostgres } from '../../testing/create-test-storage.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import type { ChatSnapshot } from './snapshots.ts'
import { ChatStore } from '../store.ts'

/** Returns a thread `m0` … as the tree of a chat body. */
function threadOf(count: number, content: (index: number) => string) {
  const messages = Array.from({ length: count }, (_, index) => {
    const parentId = index === 0 ? null : `m${index - 1}`
    return {
      id: `m${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      parentId,
      content: content(index),
      timestamp: 1,
    }
  })
  return {
    currentId: `m${count - 1}`,
    messages: Object.fromEntries(messages.map((message) => [message.id, message])),
  }
}

describe('a chat that is written to while it is read', () => {
  let test: TestChats
  let store: ChatStore
  let chatId: string
  beforeEach(async () => {
    test = await createTestChats()
    store = new ChatStore(test.storage)
    const body = { title: 'Long', history: threadOf(200, (index) => `text ${index}`) }
    chatId = (await test.chats.create(await test.addUser('owner'), body)).id
  })
  const contents = async (snapshot: ChatSnapshot): Promise<string[]> =>
    (await snapshot.rows(snapshot.seqs)).map((row) => row.content)
  const asItWas = Array.from({ length: 200 }, (_, index) => `text ${index}`)

  it('shows one moment: changed, deleted and new messages are as they were when the read began', async () => {
    const snapshot = await store.snapshots.open(chatId)
    await store.updateMessage({
      ...(await store.message(chatId, 'm150'))!,
      content: 'changed',
      parent_id: null,
    })
    await store.updateMessage({
      ...(await store.message(chatId, 'm150'))!,
      content: 'changed again',
    })
    await store.saveText(chatId, 'm151', { content: 'grown', reasoning: null })
    await store.deleteMessage(chatId, (await store.message(chatId, 'm199'))!)
    const { seq: _, ...copy } = (await store.message(chatId, 'm198'))!
    await store.insertMessage({ ...copy, id: 'new', content: 'new' })
    expect(await contents(snapshot)).toEqual(asItWas)
    expect(await snapshot.links([snapshot.seqs[150]!])).toMatchObject([
      { id: 'm150', parent_id: 'm149' },
    ])
    snapshot.end()
    const later = await store.snapshots.open(chatId)
    expect(await contents(later)).toEqual(
      [...asItWas.slice(0, 199), 'new'].map(
        (text, index) => ({ 150: 'changed again', 151: 'grown' })[index] ?? text,
      ),
    )
    later.end()
  })

  it('keeps the moment of each read apart and answers in the order asked for', async () => {
    const early = await store.snapshots.open(chatId)
    await store.saveText(chatId, 'm199', { content: 'second', reasoning: null })
    const late = await store.snapshots.open(chatId)
    await store.saveText(chatId, 'm199', { content: 'third', reasoning: null })
    expect((await contents(early)).at(-1)).toBe('text 199')
    early.end()
    expect((await contents(late)).at(-1)).toBe('second')
    const [first, , third] = late.seqs
    expect((await late.rows([third!, first!])).map((row) => row.id)).toEqual(['m2', 'm0'])
    late.end()
  })

  it('shows one moment of several chats that are opened together', async () => {
    const owner = await test.addUser('other')
    const short = await test.chats.create(owner, {
      title: 'Short',
      history: threadOf(3, (index) => `short ${index}`),
    })
    const long = await test.chats.create(owner, {
      title: 'Longer',
      history: threadOf(600, (index) => `longer ${index}`),
    })
    const ids = [chatId, long.id, short.id]
    const opened = await store.snapshots.openSeveral(ids)
    expect([...opened.keys()]).toEqual(ids)
    const before = opened.get(chatId)!
    // Reads the following messages ahead, those of the short chat included.
    expect((await before.rows(before.seqs.slice(-1)))[0]!.content).toBe('text 199')
    for (const [id, text] of [
      [chatId, 'm5'],
      [short.id, 'm1'],
      [long.id, 'm599'],
    ] as const)
      await store.saveText(id, text, { content: 'changed', reasoning: null })
    await store.deleteMessage(short.id, (await store.message(short.id, 'm2'))!)
    expect(await contents(before)).toEqual(asItWas)
    expect(await contents(opened.get(short.id)!)).toEqual(['short 0', 'short 1', 'short 2'])
    expect((await contents(opened.get(long.id)!)).at(-1)).toBe('longer 599')
    for (const snapshot of opened.values()) snapshot.end()
    const [again] = (await store.snapshots.openSeveral([short.id])).values()
    expect(await contents(again!)).toEqual(['short 0', 'changed'])
    again!.end()
  })

  it('is read in pages of few messages, and of fewer where they are long', async () => {
    await store.saveText(chatId, 'm10', { content: 'x'.repeat(3_000_000), reasoning: null })
    await store.saveText(chatId, 'm11', { content: null, reasoning: 'x'.repeat(600_000) })
    await store.saveText(chatId, 'm12', { content: null, reasoning: 'x'.repeat(600_000) })
    const snapshot = await store.snapshots.open(chatId)
    const pages = [...(await Array.fromAsync(snapshot.pages(snapshot.seqs)))]
    expect(pages.flat()).toEqual(snapshot.seqs)
    expect(pages.map((page) => page.length)).toEqual(
      isOnPostgres ? [10, 1, 1, 188] : [10, 1, 1, 52, 64, 64, 8],
    )
    snapshot.end()
  })

  it('ends when the account with the chat is deleted', async () => {
    const snapshot = await store.snapshots.open(chatId)
    await test.storage.prepare('delete from message where chat_id = ?').run(chatId)
    await expect(() => contents(snapshot)).rejects.toThrow('no longer exists')
    snapshot.end()
  })
})

describe('a chat of 10,000 messages', () => {
  let server: TestServer
  let token: string
  let chatId: string

  beforeAll(async () => {
    server = await startTestServer({ environment: { CHAT_SAVE_MAX_MESSAGES: '10000' } })
    token = await server.signUp('Owner')
    const chat = {
      title: 'Long',
      history: threadOf(10_000, (index) => `message ${index} ${'words '.repeat(60)}`),
    }
    const reply = await server.call('POST', '/api/v1/chats/new', { token, body: { chat } })
    chatId = ((await reply.json()) as { id: string }).id
  }, 60_000)
  afterAll(() => server.close())

  it('is read whole while other calls are answered in between', async () => {
    let pings = 0
    let isRead = false
    const ping = async () => {
      while (!isRead) {
        expect((await server.call('GET', '/health')).status).toBe(200)
        if (!isRead) pings += 1
      }
    }
    const read = async () => {
      const text = await (await server.call('GET', `/api/v1/chats/${chatId}`, { token })).text()
      isRead = true
      return text
    }
    const [text] = await Promise.all([read(), ping()])
    const { chat } = JSON.parse(text) as {
      chat: { messages: unknown[]; history: { messages: object } }
    }
    expect([chat.messages.length, Object.keys(chat.history.messages).length]).toEqual([
      10_000, 10_000,
    ])
    expect(pings).toBeGreaterThan(10)
  })

  it('says the same in its thread as in its tree, also where its texts are too long to be kept', async () => {
    const content = 'long '.repeat(400_000)
    for (const id of ['m3', 'm4', 'm9999', 'm9998']) {
      await server.call('POST', `/api/v1/chats/${chatId}/messages/${id}?reply=minimal`, {
        token,
        body: { content },
      })
    }
    const reply = await server.call('GET', `/api/v1/chats/${chatId}`, { token })
    const { chat } = (await reply.json()) as {
      chat: { messages: unknown[]; history: { messages: Record<string, unknown> } }
    }
    expect(chat.messages).toEqual(Object.values(chat.history.messages))
    expect(chat.messages.at(-1)).toMatchObject({ id: 'm9999', content })
  })

  it('can be left in the middle and then be read and written as before', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${server.url}/api/v1/chats/${chatId}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    await response.body!.getReader().read()
    leaving.abort()
    const edited = await server.call('POST', `/api/v1/chats/${chatId}/messages/m9999`, {
      token,
      body: { content: 'edited' },
    })
    const { chat } = (await edited.json()) as { chat: { messages: { content: string }[] } }
    expect([chat.messages.length, chat.messages.at(-1)!.content]).toEqual([10_000, 'edited'])
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatBodyInput, Message } from '#contract/chats.ts'
import { createTestChats, type TestChats } from '../../testing/create-test-chats.ts'

let test: TestChats
let owner: string
beforeEach(async () => {
  test = await createTestChats()
  owner = await test.addUser('owner')
})

const question = (id: string, fields: object = {}) => ({
  id,
  role: 'user',
  content: `question ${id}`,
  childrenIds: [],
  timestamp: 1,
  ...fields,
})
const answer = (id: string, fields: object = {}) => ({
  id,
  role: 'assistant',
  content: '',
  childrenIds: [],
  model: 'm',
  modelName: 'M',
  modelIdx: 0,
  timestamp: 2,
  ...fields,
})

const twoMessages = (): ChatBodyInput => ({
  title: 'Two',
  models: ['m'],
  history: {
    currentId: 'a1',
    messages: {
      q1: question('q1', { childrenIds: ['a1'], models: ['m'] }),
      a1: answer('a1', { parentId: 'q1' }),
    },
  },
})
const create = (body: ChatBodyInput = twoMessages()) => test.chats.create(owner, body)
const read = async (id: string) => (await test.chats.get(owner, id)).chat
const messageOf = async (id: string, messageId: string): Promise<Message> =>
  (await read(id)).history.messages[messageId]!
const update = (id: string, body: ChatBodyInput) => test.chats.update(owner, id, body)
const links = async (id: string) =>
  Object.fromEntries(
    Object.values((await read(id)).history.messages).map(({ id: name, parentId }) => [
      name,
      parentId,
    ]),
  )

describe('a new chat', () => {
  it('is answered as chat.history.messages and as the flat list of the active thread', async () => {
    const chat = await create()
    expect(chat).toMatchObject({
      user_id: owner,
      title: 'Two',
      pinned: false,
      archived: false,
      share_id: null,
      folder_id: null,
      meta: {},
    })
    expect(chat.chat.history.currentId).toBe('a1')
    expect(chat.chat.currentId).toBe('a1')
    expect(Object.keys(chat.chat.history.messages)).toEqual(['q1', 'a1'])
    expect(chat.chat.messages.map((message) => message.id)).toEqual(['q1', 'a1'])
    expect(chat.chat.history.messages['a1']).toEqual(answer('a1', { parentId: 'q1', done: false }))
    expect(chat.chat.messages[0]).not.toHaveProperty('done')
    expect(chat.chat).toMatchObject({ files: [], tags: [], params: {}, models: ['m'] })
  })

  it('needs nothing but a title, and without one is called New Chat', async () => {
    expect(await create({ title: 'Only this' })).toMatchObject({
      title: 'Only this',
      chat: { messages: [], history: { messages: {}, currentId: null } },
    })
    expect((await create({})).title).toBe('New Chat')
    expect((await create({ title: '' })).title).toBe('New Chat')
  })

  it('keeps fields it does not know, in the chat body, the history and the messages', async () => {
    const body = twoMessages()
    const { chat } = await create({
      ...body,
      originalChatId: 'x',
      history: {
        ...body.history,
        branch: 1,
        messages: {
          ...body.history!.messages,
          q1: question('q1', { favorite: true, annotation: { rating: 1 } }),
        },
      },
    })
    expect(chat).toMatchObject({
      originalChatId: 'x',
      history: { branch: 1, messages: { q1: { favorite: true, annotation: { rating: 1 } } } },
    })
  })

  it('builds the tree from a flat list alone, each message following the one before', async () => {
    const { id } = await create({
      title: 'Legacy',
      messages: [question('q1'), answer('a1'), question('q2')],
    })
    expect(await links(id)).toEqual({ q1: null, a1: 'q1', q2: 'a1' })
    expect((await read(id)).history.currentId).toBe('q2')
    expect((await messageOf(id, 'a1')).childrenIds).toEqual(['q2'])
  })

  it('gives ids to messages of a flat list that have none', async () => {
    const { chat } = await create({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    })
    expect(chat.messages.map(({ content }) => content)).toEqual(['a', 'b'])
    expect(chat.messages[1]!.parentId).toBe(chat.messages[0]!.id)
  })

  it('keeps the order of children as their parent lists them', async () => {
    const { id } = await create({
      history: {
        currentId: 'a1',
        messages: {
          a2: answer('a2', { parentId: 'q1' }),
          a1: answer('a1', { parentId: 'q1' }),
          q1: question('q1', { childrenIds: ['a1', 'a2'] }),
        },
      },
    })
    expect((await messageOf(id, 'q1')).childrenIds).toEqual(['a1', 'a2'])
  })

  it('keeps content in parts as it came', async () => {
    const parts = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ]
    const { id } = await create({
      history: { messages: { q1: question('q1', { content: parts }) } },
    })
    expect((await messageOf(id, 'q1')).content).toEqual(parts)
  })

  it('row 60: ignores ids, owners and times of the chat record in the body', async () => {
    const chat = await create({
      ...twoMessages(),
      id: 'mine',
      user_id: 'another',
      created_at: 1,
      updated_at: 1,
    })
    expect(chat.id).not.toBe('mine')
    expect(chat.user_id).toBe(owner)
    expect(chat.created_at).toBeGreaterThan(1)
    expect(chat.chat).not.toHaveProperty('user_id')
  })
})

describe('a partial update', () => {
  it('keeps messages and fields that are not mentioned', async () => {
    const { id } = await create()
    await update(id, { history: { messages: { a1: { content: 'Hello' } } } })
    expect(await messageOf(id, 'a1')).toEqual({
      ...answer('a1', { parentId: 'q1' }),
      content: 'Hello',
    })
    expect((await messageOf(id, 'q1')).content).toBe('question q1')
    await update(id, { title: 'Renamed' })
    expect(await test.chats.get(owner, id)).toMatchObject({
      title: 'Renamed',
      chat: { title: 'Renamed', models: ['m'] },
    })
    expect((await messageOf(id, 'a1')).content).toBe('Hello')
  })

  it('follows the flow of the specification: link, new question, new placeholder, new current message', async () => {
    const { id } = await create()
    const { repairs } = await update(id, {
      history: {
        currentId: 'a2',
        messages: {
          a1: { childrenIds: ['q2'] },
          q2: question('q2', { parentId: 'a1', childrenIds: ['a2'] }),
          a2: answer('a2', { parentId: 'q2' }),
        },
      },
    })
    expect(repairs).toEqual([])
    expect((await read(id)).messages.map((message) => message.id)).toEqual(['q1', 'a1', 'q2', 'a2'])
  })

  it('adds the links that parentId implies and never drops one', async () => {
    const { id } = await create()
    await update(id, { history: { messages: { a2: answer('a2', { parentId: 'q1' }) } } })
    expect((await messageOf(id, 'q1')).childrenIds).toEqual(['a1', 'a2'])
    await update(id, { history: { messages: { q1: { childrenIds: [] } } } })
    expect((await messageOf(id, 'q1')).childrenIds).toEqual(['a1', 'a2'])
  })

  it('remembers a listed child that is not stored yet and links it when it comes', async () => {
    const { id } = await create()
    await update(id, { history: { messages: { a1: { childrenIds: ['later'] } } } })
    expect((await messageOf(id, 'a1')).childrenIds).toEqual(['later'])
    await update(id, { history: { messages: { later: { role: 'user', content: 'here' } } } })
    expect((await messageOf(id, 'later')).parentId).toBe('a1')
    expect((await messageOf(id, 'a1')).childrenIds).toEqual(['later'])
  })

  it('takes the flat list beside a tree only for messages that neither has', async () => {
    const { id } = await create()
    await update(id, {
      history: { messages: { a1: { content: 'new' } } },
      messages: [
        question('q1', { content: 'stale' }),
        answer('a1', { content: 'stale' }),
        question('q2', { parentId: 'a1' }),
      ],
    })
    expect((await read(id)).history.messages).toMatchObject({
      q1: { content: 'question q1' },
      a1: { content: 'new' },
      q2: { parentId: 'a1' },
    })
  })

  it('appends a flat list without a tree after the current message', async () => {
    const { id } = await create()
    await update(id, { messages: [question('q2'), answer('a2')] })
    expect((await read(id)).messages.map((message) => message.id)).toEqual(['q1', 'a1', 'q2', 'a2'])
  })

  it('refuses messages of a flat list that cannot be told from stored ones, and writes nothing', async () => {
    const { id } = await create()
    const before = await read(id)
    await expect(() =>
      update(id, { title: 'no', messages: [{ role: 'user', content: 'x' }] }),
    ).rejects.toThrow('has no id')
    expect(await read(id)).toEqual(before)
  })

  it('allows several first messages, as edits of the first one', async () => {
    const { id } = await create()
    await update(id, {
      history: { currentId: 'q1b', messages: { q1b: question('q1b', { parentId: null }) } },
    })
    expect(await links(id)).toMatchObject({ q1: null, q1b: null })
    expect((await test.chats.branch(owner, id, { limit: 50 })).messages[0]!.siblingIds).toEqual([
      'q1',
      'q1b',
    ])
  })

  it('announces new messages and the change of the list to the windows of the owner', async () => {
    const { id } = await create()
    test.emitted.length = 0
    await update(id, {
      history: { currentId: 'q2', messages: { q2: question('q2', { parentId: 'a1' }) } },
    })
    expect(test.emitted).toMatchObject([
      {
        userId: owner,
        chat_id: id,
        message_id: 'q2',
        data: { type: 'chat:message:created', data: { message: { id: 'q2', parentId: 'a1' } } },
      },
      {
        userId: owner,
        chat_id: id,
        message_id: null,
        data: { type: 'chat:list', data: { reason: 'updated' } },
      },
    ])
  })
})

describe('a malformed tree', () => {
  const repairsOf = async (body: ChatBodyInput) => {
    const { id } = await create()
    return { id, repairs: (await update(id, body)).repairs.join(' ') }
  }

  it('reads current_id as currentId', async () => {
    const { id, repairs } = await repairsOf({ history: { current_id: 'q1' } })
    expect((await read(id)).history.currentId).toBe('q1')
    expect((await read(id)).history).not.toHaveProperty('current_id')
    expect(repairs).toContain('current_id')
  })

  it('keeps the stored current message when an unknown one is named', async () => {
    const { id, repairs } = await repairsOf({ history: { currentId: 'nobody' } })
    expect((await read(id)).history.currentId).toBe('a1')
    expect(repairs).toContain('"nobody"')
  })

  it('adds missing childrenIds and a missing parent of an answer that is listed', async () => {
    const { id } = await create({
      history: {
        messages: {
          q: { role: 'user', content: 'x', childrenIds: ['a'] },
          a: { role: 'assistant', content: '' },
        },
      },
    })
    expect((await read(id)).history.messages).toMatchObject({
      q: { childrenIds: ['a'] },
      a: { parentId: 'q', childrenIds: [] },
    })
  })

  it('puts the only answer without a parent under the only question without an answer', async () => {
    const { id } = await create({ history: { messages: { q: question('q'), a: answer('a') } } })
    expect(await links(id)).toEqual({ q: null, a: 'q' })
  })

  it('takes a message that names itself as its parent out of the circle', async () => {
    const { id, repairs } = await repairsOf({
      history: { messages: { a1: { parentId: 'a1' }, x: question('x', { parentId: 'x' }) } },
    })
    expect(await links(id)).toMatchObject({ a1: 'q1', x: null })
    expect(repairs).toContain('named itself')
  })

  it('keeps the known place when an unknown parent is named', async () => {
    const { id, repairs } = await repairsOf({
      history: { messages: { a1: { parentId: 'nobody' } } },
    })
    expect(await links(id)).toMatchObject({ a1: 'q1' })
    expect(repairs).toContain('"nobody"')
  })

  it('drops a child list that would close a circle', async () => {
    const { id } = await create({
      history: {
        messages: {
          q: question('q', { childrenIds: ['a'] }),
          a: answer('a', { parentId: 'q', childrenIds: ['q'] }),
        },
      },
    })
    expect(await links(id)).toEqual({ q: null, a: 'q' })
  })

  it('refuses a circle and an unknown parent of a new message with the reason, and writes nothing', async () => {
    const { id } = await create()
    const before = await test.chats.get(owner, id)
    const circle = { x: question('x', { parentId: 'y' }), y: question('y', { parentId: 'x' }) }
    await expect(() => update(id, { title: 'no', history: { messages: circle } })).rejects.toThrow(
      'in a circle: "x", "y"',
    )
    await expect(() =>
      update(id, { title: 'no', history: { messages: { q1: { parentId: 'a1' } } } }),
    ).rejects.toThrow('in a circle')
    await expect(() =>
      update(id, {
        title: 'no',
        history: { messages: { x: question('x', { parentId: 'nobody' }) } },
      }),
    ).rejects.toThrow('"nobody", which is not in this chat')
    expect(await test.chats.get(owner, id)).toEqual(before)
  })

  it('moves a stored branch and refuses to move it under itself', async () => {
    const { id } = await create()
    await update(id, {
      history: {
        messages: {
          q2: question('q2', { parentId: 'a1' }),
          q0: question('q0', { parentId: null }),
        },
      },
    })
    await update(id, { history: { messages: { q2: { parentId: 'q0' } } } })
    expect(await links(id)).toMatchObject({ q2: 'q0' })
    await expect(() =>
      update(id, { history: { messages: { q0: { parentId: 'q2' } } } }),
    ).rejects.toThrow('in a circle')
  })

  it('keeps message times in seconds and the time of the chat in milliseconds', async () => {
    const { id, repairs } = await repairsOf({
      timestamp: 1_700_000_000,
      history: { messages: { a1: { timestamp: 1_700_000_000_000 } } },
    })
    expect((await read(id)).timestamp).toBe(1_700_000_000_000)
    expect((await messageOf(id, 'a1')).timestamp).toBe(1_700_000_000)
    expect(repairs).toContain('milliseconds')
    await expect(() =>
      update(id, { history: { messages: { a1: { timestamp: 1e300 } } } }),
    ).rejects.toThrow('not a time')
  })
})

describe('rating and starring', () => {
  it('leave the chat in its place, as nothing new was said in it', async () => {
    const { id } = await create()
    const age = async (): Promise<void> => {
      await test.storage.prepare(`update chat set updated_at = 5 where id = '${id}'`).run()
    }
    const after = async (body: ChatBodyInput): Promise<number> => {
      await age()
      await update(id, body)
      return (await test.chats.get(owner, id)).updated_at
    }
    const change = (message: Record<string, unknown>, rest: object = {}): ChatBodyInput => ({
      history: { messages: { a1: message }, ...rest },
    })
    expect(await after(change({ favorite: true }))).toBe(5)
    expect(await after(change({ annotation: { rating: 1 }, feedbackId: 'f' }))).toBe(5)
    expect(await messageOf(id, 'a1')).toMatchObject({ favorite: true, annotation: { rating: 1 } })
    expect(await after(change({ favorite: false, content: 'new' }))).toBeGreaterThan(5)
    expect(await after(change({ favorite: true }, { currentId: 'q1' }))).toBeGreaterThan(5)
    expect(await after({ ...change({ favorite: true }), title: 'Other' })).toBeGreaterThan(5)
    expect(
      await after({ history: { messages: { q9: { role: 'user', content: '', favorite: true } } } }),
    ).toBeGreaterThan(5)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { parsePluginEvent } from '../../lib/plugin-events.ts'
import { createTestChats, type TestChats } from '../../testing/create-test-chats.ts'

let test: TestChats
let owner: string
beforeEach(async () => {
  test = await createTestChats()
  owner = await test.addUser('owner')
})

const create = async () =>
  (
    await test.chats.create(owner, {
      title: 'Run',
      history: {
        currentId: 'a1',
        messages: {
          q1: { role: 'user', content: 'Why?', childrenIds: ['a1'], timestamp: 1 },
          a1: {
            role: 'assistant',
            content: '',
            parentId: 'q1',
            childrenIds: [],
            model: 'm',
            modelName: 'M',
            modelIdx: 0,
            timestamp: 2,
          },
        },
      },
    })
  ).id
const open = (chatId: string, messageId = 'a1', fields: object = {}) =>
  test.chats.openAnswer({ chatId, messageId, model: 'm', modelName: 'Model', ...fields })
const message = (chatId: string, id = 'a1') => test.chats.message(chatId, id)

describe('opening an answer', () => {
  it('needs no repair when the placeholder and its links are there', async () => {
    const id = await create()
    expect(await open(id)).toEqual({ repairs: [], parentId: 'q1' })
    expect(await message(id)).toMatchObject({ done: false, model: 'm', modelName: 'Model' })
  })

  it('stores the model an arena chose at once, and keeps it until another one is chosen', async () => {
    const id = await create()
    await open(id, 'a1', { selectedModelId: 'chosen' })
    expect(await message(id)).toMatchObject({ selectedModelId: 'chosen', done: false })
    await test.chats.saveAnswer(id, 'a1', { done: true })
    await open(id, 'a1', { selectedModelId: null })
    expect((await message(id))!['selectedModelId']).toBe('chosen')
  })

  it('creates a missing placeholder with its links and says so', async () => {
    const id = await create()
    const { repairs, parentId } = await open(id, 'a2', { parentId: 'q1' })
    expect(parentId).toBe('q1')
    expect(repairs.join(' ')).toContain('placeholder "a2" was missing')
    expect((await message(id, 'q1'))!.childrenIds).toEqual(['a1', 'a2'])
    expect((await test.chats.get(owner, id)).chat.currentId).toBe('a2')
    expect(await message(id, 'a2')).toMatchObject({
      role: 'assistant',
      content: '',
      done: false,
      modelIdx: 0,
    })
  })

  it('stores the question that came along after the current message', async () => {
    const id = await create()
    const { parentId } = await open(id, 'a2', { userMessage: { id: 'q2', content: 'And then?' } })
    expect(parentId).toBe('q2')
    expect((await test.chats.thread(id, 'a2')).map((entry) => entry.id)).toEqual([
      'q1',
      'a1',
      'q2',
      'a2',
    ])
    expect(
      test.emitted
        .filter(({ data }) => data.type === 'chat:message:created')
        .map((event) => event.message_id),
    ).toEqual(['q2', 'a2'])
  })

  it('moves currentId to the answer, except beside an answer to the same question that is being written', async () => {
    const id = await create()
    await open(id, 'a2', { parentId: 'q1' })
    await open(id, 'a3', { parentId: 'q1' })
    expect((await test.chats.get(owner, id)).chat.currentId).toBe('a2')
    await test.chats.saveAnswer(id, 'a2', { done: true })
    expect((await open(id, 'a1')).repairs.join(' ')).toContain('current message is "a1"')
    expect((await test.chats.get(owner, id)).chat.currentId).toBe('a1')
  })

  it('starts afresh when a finished answer is written again', async () => {
    const id = await create()
    await open(id)
    await test.chats.saveAnswer(id, 'a1', {
      content: 'old',
      reasoning_content: 'hm',
      done: true,
      error: { content: 'cut' },
      usage: { total_tokens: 1 },
    })
    await open(id)
    expect(await message(id)).toMatchObject({ content: '', done: false })
    for (const field of ['error', 'usage', 'reasoning_content'])
      expect(await message(id)).not.toHaveProperty(field)
  })

  it('answers 404 for a chat that does not exist or lies in the trash', async () => {
    const id = await create()
    await test.chats.remove(owner, id)
    await expect(() => open(id)).rejects.toThrow('does not exist')
    await expect(() => open('nowhere')).rejects.toThrow('does not exist')
  })
})

describe('a growing answer', () => {
  it('is saved as it grows and ends done with its usage', async () => {
    const id = await create()
    await open(id)
    expect(
      await test.chats.saveAnswer(id, 'a1', { content: 'Be', reasoning_content: 'thinking' }),
    ).toBe(true)
    expect(await message(id)).toMatchObject({
      content: 'Be',
      reasoning_content: 'thinking',
      done: false,
    })
    expect(
      await test.chats.saveAnswer(id, 'a1', {
        content: 'Because.',
        done: true,
        usage: { total_tokens: 3 },
        error: undefined,
      }),
    ).toBe(true)
    expect(await message(id)).toMatchObject({
      content: 'Because.',
      reasoning_content: 'thinking',
      done: true,
      usage: { total_tokens: 3 },
    })
    expect(await message(id)).not.toHaveProperty('error')
  })

  it('says when the message is gone', async () => {
    const id = await create()
    await open(id)
    await test.chats.removeMessage(owner, id, 'a1')
    expect(await test.chats.saveAnswer(id, 'a1', { content: 'x' })).toBe(false)
    expect(await test.chats.saveAnswer(id, 'a1', { content: 'x', done: true })).toBe(false)
  })

  it('is not overwritten by a window that still has the empty placeholder', async () => {
    const id = await create()
    await open(id)
    await test.chats.saveAnswer(id, 'a1', { content: 'half' })
    const { repairs } = await test.chats.update(owner, id, {
      history: { messages: { a1: { content: '', done: true, favorite: true } } },
    })
    expect(await message(id)).toMatchObject({ content: 'half', done: false, favorite: true })
    expect(repairs.join(' ')).toContain('being written')
  })

  it('is read with the text that storage does not have yet', async () => {
    const id = await create()
    await open(id)
    test.chats.setLiveAnswers((chatId, messageId) =>
      chatId === id && messageId === 'a1' ? { content: 'live text' } : null,
    )
    expect((await message(id))!.content).toBe('live text')
    expect((await test.chats.get(owner, id)).chat.history.messages['a1']!.content).toBe('live text')
    expect((await test.chats.get(owner, id)).chat.messages.at(-1)!.content).toBe('live text')
    expect((await test.chats.branch(owner, id, { limit: 5 })).messages.at(-1)!.content).toBe(
      'live text',
    )
    await test.chats.saveAnswer(id, 'a1', { content: 'final', done: true })
    expect((await message(id))!.content).toBe('final')
  })

  it('keeps what outside tools add to its text, at the place where it came', async () => {
    const id = await create()
    await open(id)
    let live = 'One'
    test.chats.setLiveAnswers(() => ({ content: live }))
    await test.chats.applyEvent(id, 'a1', { type: 'message', data: { content: ' [tool]' } })
    expect((await message(id))!.content).toBe('One [tool]')
    live = 'One two'
    expect((await message(id))!.content).toBe('One [tool] two')
    await test.chats.saveAnswer(id, 'a1', { content: live })
    await test.chats.applyEvent(id, 'a1', { type: 'status', data: { description: 'Searching' } })
    await test.chats.saveAnswer(id, 'a1', { content: 'One two three', done: true })
    expect(await message(id)).toMatchObject({ content: 'One [tool] two three', done: true })
    await open(id)
    await test.chats.saveAnswer(id, 'a1', { content: 'Anew', done: true })
    expect((await message(id))!.content).toBe('Anew')
  })

  it('goes on behind a text an outside tool put in its place', async () => {
    const id = await create()
    await open(id)
    await test.chats.saveAnswer(id, 'a1', { content: 'Wrong' })
    await test.chats.applyEvent(id, 'a1', { type: 'replace', data: { content: 'Right' } })
    await test.chats.saveAnswer(id, 'a1', { content: 'Wrong, but' })
    expect((await message(id))!.content).toBe('Right, but')
    await test.chats.applyEvent(id, 'a1', { type: 'message', data: { content: ' (checked)' } })
    await test.chats.saveAnswer(id, 'a1', { content: 'Wrong, but short.', done: true })
    expect((await message(id))!.content).toBe('Right, but (checked) short.')
  })

  it('is found by the search once it is finished', async () => {
    const id = await create()
    const search = async () =>
      (await test.chats.search(owner, { text: 'marmalade' })).map((hit) => hit.message_id)
    await open(id)
    await test.chats.saveAnswer(id, 'a1', { content: 'marmalade' })
    expect(await search()).toEqual([])
    await test.chats.saveAnswer(id, 'a1', { done: true })
    expect(await search()).toEqual(['a1'])
    await test.chats.removeMessage(owner, id, 'a1')
    expect(await search()).toEqual([])
  })
})

describe('after a restart', () => {
  it('answers a former process left unfinished end done with the reason; placeholders that were never run stay', async () => {
    const id = await create()
    await open(id, 'a2', { parentId: 'q1' })
    await test.chats.saveAnswer(id, 'a2', { content: 'arrived' })
    expect(await test.chats.closeUnfinished()).toBe(1)
    expect(await message(id, 'a2')).toMatchObject({
      content: 'arrived',
      done: true,
      error: { content: expect.stringContaining('gateway stopped') as string },
    })
    expect(await message(id, 'a1')).not.toHaveProperty('error')
    expect(await test.chats.closeUnfinished()).toBe(0)
    expect(await test.chats.search(owner, { text: 'arrived' })).toHaveLength(1)
  })
})

describe('persisted events', () => {
  const apply = (id: string, type: string, data: unknown) =>
    test.chats.applyEvent(id, 'a1', parsePluginEvent({ type, data }))

  it('say where in its list the first added thing stands', async () => {
    const id = await create()
    expect(await apply(id, 'status', { description: 'one' })).toBe(0)
    expect(await apply(id, 'status', { description: 'two' })).toBe(1)
    expect(await apply(id, 'files', { files: [{ id: 'a' }, { id: 'b' }] })).toBe(0)
    expect(await apply(id, 'files', { files: [{ id: 'c' }] })).toBe(2)
    expect(await apply(id, 'embeds', { embeds: ['<p>'], replace: true })).toBe(0)
    expect([
      await apply(id, 'message', { content: 'x' }),
      await apply(id, 'notification', { content: 'x' }),
    ]).toEqual([null, null])
  })

  it('status appends to statusHistory, source and citation append to sources', async () => {
    const id = await create()
    await apply(id, 'status', { description: 'one', done: false })
    await apply(id, 'status', { description: 'two', done: true, hidden: true })
    await apply(id, 'source', { source: { name: 'a' } })
    await apply(id, 'citation', { source: { name: 'b' } })
    expect(await message(id)).toMatchObject({
      statusHistory: [
        { description: 'one', done: false },
        { description: 'two', done: true, hidden: true },
      ],
      sources: [{ source: { name: 'a' } }, { source: { name: 'b' } }],
    })
  })

  it('message appends to content and replace overwrites it', async () => {
    const id = await create()
    await apply(id, 'message', { content: 'Hello' })
    await apply(id, 'message', { content: ', you' })
    expect((await message(id))!.content).toBe('Hello, you')
    await apply(id, 'replace', { content: 'Instead' })
    expect((await message(id))!.content).toBe('Instead')
  })

  it('embeds and files append; replace: true replaces and an empty list clears', async () => {
    const id = await create()
    await apply(id, 'embeds', { embeds: ['a'] })
    await apply(id, 'embeds', { embeds: ['b'] })
    expect((await message(id))!.embeds).toEqual(['a', 'b'])
    await apply(id, 'embeds', { embeds: ['c'], replace: true })
    expect((await message(id))!.embeds).toEqual(['c'])
    await apply(id, 'embeds', { embeds: [], replace: true })
    expect((await message(id))!.embeds).toEqual([])
    await apply(id, 'files', { files: [{ id: 'f' }] })
    await apply(id, 'files', { files: [{ id: 'g' }] })
    expect((await message(id))!.files).toEqual([{ id: 'f' }, { id: 'g' }])
  })

  it('changed sources are added to those there are', async () => {
    const id = await create()
    const edit = (name: string) => ({ id: name, block: 0, source: `of ${name}`, timestamp: 1 })
    await apply(id, 'chat:message:artifact', edit('one'))
    await apply(id, 'chat:message:artifact', edit('two'))
    expect((await message(id))!['artifacts']).toEqual([edit('one'), edit('two')])
  })

  it('the long names and other types leave no trace', async () => {
    const id = await create()
    const before = await message(id)
    for (const type of [
      'chat:message:delta',
      'chat:message',
      'chat:message:files',
      'chat:message:embeds',
      'notification',
      'chat:title',
      'own:type',
    ])
      await apply(id, type, { content: 'x', title: 'x', files: [1], embeds: ['x'] })
    expect(await message(id)).toEqual(before)
  })
})

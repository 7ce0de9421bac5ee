import { beforeEach, describe, expect, it } from 'vitest'
import { parsePluginEvent } from '../lib/plugin-events.ts'
import { createTestChats, type TestChats } from '../testing/create-test-chats.ts'

let test: TestChats
let owner: string
beforeEach(() => {
  test = createTestChats()
  owner = test.addUser('owner')
})

const create = () =>
  test.chats.create(owner, {
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
  }).id
const open = (chatId: string, messageId = 'a1', fields: object = {}) =>
  test.chats.openAnswer({ chatId, messageId, model: 'm', modelName: 'Model', ...fields })
const message = (chatId: string, id = 'a1') => test.chats.message(chatId, id)

describe('opening an answer', () => {
  it('needs no repair when the placeholder and its links are there', () => {
    const id = create()
    expect(open(id)).toEqual({ repairs: [], parentId: 'q1' })
    expect(message(id)).toMatchObject({ done: false, model: 'm', modelName: 'Model' })
  })

  it('creates a missing placeholder with its links and says so', () => {
    const id = create()
    const { repairs, parentId } = open(id, 'a2', { parentId: 'q1' })
    expect(parentId).toBe('q1')
    expect(repairs.join(' ')).toContain('placeholder "a2" was missing')
    expect(message(id, 'q1')!.childrenIds).toEqual(['a1', 'a2'])
    expect(test.chats.get(owner, id).chat.currentId).toBe('a2')
    expect(message(id, 'a2')).toMatchObject({
      role: 'assistant',
      content: '',
      done: false,
      modelIdx: 0,
    })
  })

  it('stores the question that came along after the current message', () => {
    const id = create()
    const { parentId } = open(id, 'a2', { userMessage: { id: 'q2', content: 'And then?' } })
    expect(parentId).toBe('q2')
    expect(test.chats.thread(id, 'a2').map((entry) => entry.id)).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(
      test.emitted
        .filter(({ data }) => data.type === 'chat:message:created')
        .map((event) => event.message_id),
    ).toEqual(['q2', 'a2'])
  })

  it('moves currentId to the answer, except beside an answer to the same question that is being written', () => {
    const id = create()
    open(id, 'a2', { parentId: 'q1' })
    open(id, 'a3', { parentId: 'q1' })
    expect(test.chats.get(owner, id).chat.currentId).toBe('a2')
    test.chats.saveAnswer(id, 'a2', { done: true })
    expect(open(id, 'a1').repairs.join(' ')).toContain('current message is "a1"')
    expect(test.chats.get(owner, id).chat.currentId).toBe('a1')
  })

  it('starts afresh when a finished answer is written again', () => {
    const id = create()
    open(id)
    test.chats.saveAnswer(id, 'a1', {
      content: 'old',
      reasoning_content: 'hm',
      done: true,
      error: { content: 'cut' },
      usage: { total_tokens: 1 },
    })
    open(id)
    expect(message(id)).toMatchObject({ content: '', done: false })
    for (const field of ['error', 'usage', 'reasoning_content'])
      expect(message(id)).not.toHaveProperty(field)
  })

  it('answers 404 for a chat that does not exist or lies in the trash', () => {
    const id = create()
    test.chats.remove(owner, id)
    expect(() => open(id)).toThrow('does not exist')
    expect(() => open('nowhere')).toThrow('does not exist')
  })
})

describe('a growing answer', () => {
  it('is saved as it grows and ends done with its usage', () => {
    const id = create()
    open(id)
    expect(test.chats.saveAnswer(id, 'a1', { content: 'Be', reasoning_content: 'thinking' })).toBe(
      true,
    )
    expect(message(id)).toMatchObject({ content: 'Be', reasoning_content: 'thinking', done: false })
    expect(
      test.chats.saveAnswer(id, 'a1', {
        content: 'Because.',
        done: true,
        usage: { total_tokens: 3 },
        error: undefined,
      }),
    ).toBe(true)
    expect(message(id)).toMatchObject({
      content: 'Because.',
      reasoning_content: 'thinking',
      done: true,
      usage: { total_tokens: 3 },
    })
    expect(message(id)).not.toHaveProperty('error')
  })

  it('says when the message is gone', () => {
    const id = create()
    open(id)
    test.chats.removeMessage(owner, id, 'a1')
    expect(test.chats.saveAnswer(id, 'a1', { content: 'x' })).toBe(false)
    expect(test.chats.saveAnswer(id, 'a1', { content: 'x', done: true })).toBe(false)
  })

  it('is not overwritten by a window that still has the empty placeholder', () => {
    const id = create()
    open(id)
    test.chats.saveAnswer(id, 'a1', { content: 'half' })
    const { repairs } = test.chats.update(owner, id, {
      history: { messages: { a1: { content: '', done: true, favorite: true } } },
    })
    expect(message(id)).toMatchObject({ content: 'half', done: false, favorite: true })
    expect(repairs.join(' ')).toContain('being written')
  })

  it('is read with the text that storage does not have yet', () => {
    const id = create()
    open(id)
    test.chats.setLiveAnswers((chatId, messageId) =>
      chatId === id && messageId === 'a1' ? { content: 'live text' } : null,
    )
    expect(message(id)!.content).toBe('live text')
    expect(test.chats.get(owner, id).chat.history.messages['a1']!.content).toBe('live text')
    expect(test.chats.get(owner, id).chat.messages.at(-1)!.content).toBe('live text')
    expect(test.chats.branch(owner, id, { limit: 5 }).messages.at(-1)!.content).toBe('live text')
    test.chats.saveAnswer(id, 'a1', { content: 'final', done: true })
    expect(message(id)!.content).toBe('final')
  })

  it('keeps what outside tools add to its text, at the place where it came', () => {
    const id = create()
    open(id)
    let live = 'One'
    test.chats.setLiveAnswers(() => ({ content: live }))
    test.chats.applyEvent(id, 'a1', { type: 'message', data: { content: ' [tool]' } })
    expect(message(id)!.content).toBe('One [tool]')
    live = 'One two'
    expect(message(id)!.content).toBe('One [tool] two')
    test.chats.saveAnswer(id, 'a1', { content: live })
    test.chats.applyEvent(id, 'a1', { type: 'status', data: { description: 'Searching' } })
    test.chats.saveAnswer(id, 'a1', { content: 'One two three', done: true })
    expect(message(id)).toMatchObject({ content: 'One [tool] two three', done: true })
    open(id)
    test.chats.saveAnswer(id, 'a1', { content: 'Anew', done: true })
    expect(message(id)!.content).toBe('Anew')
  })

  it('goes on behind a text an outside tool put in its place', () => {
    const id = create()
    open(id)
    test.chats.saveAnswer(id, 'a1', { content: 'Wrong' })
    test.chats.applyEvent(id, 'a1', { type: 'replace', data: { content: 'Right' } })
    test.chats.saveAnswer(id, 'a1', { content: 'Wrong, but' })
    expect(message(id)!.content).toBe('Right, but')
    test.chats.applyEvent(id, 'a1', { type: 'message', data: { content: ' (checked)' } })
    test.chats.saveAnswer(id, 'a1', { content: 'Wrong, but short.', done: true })
    expect(message(id)!.content).toBe('Right, but (checked) short.')
  })

  it('is found by the search once it is finished', () => {
    const id = create()
    const search = () =>
      test.chats.search(owner, { text: 'marmalade' }).map((hit) => hit.message_id)
    open(id)
    test.chats.saveAnswer(id, 'a1', { content: 'marmalade' })
    expect(search()).toEqual([])
    test.chats.saveAnswer(id, 'a1', { done: true })
    expect(search()).toEqual(['a1'])
    test.chats.removeMessage(owner, id, 'a1')
    expect(search()).toEqual([])
  })
})

describe('after a restart', () => {
  it('answers a former process left unfinished end done with the reason; placeholders that were never run stay', () => {
    const id = create()
    open(id, 'a2', { parentId: 'q1' })
    test.chats.saveAnswer(id, 'a2', { content: 'arrived' })
    expect(test.chats.closeUnfinished()).toBe(1)
    expect(message(id, 'a2')).toMatchObject({
      content: 'arrived',
      done: true,
      error: { content: expect.stringContaining('gateway stopped') as string },
    })
    expect(message(id, 'a1')).not.toHaveProperty('error')
    expect(test.chats.closeUnfinished()).toBe(0)
    expect(test.chats.search(owner, { text: 'arrived' })).toHaveLength(1)
  })
})

describe('persisted events', () => {
  const apply = (id: string, type: string, data: unknown) =>
    test.chats.applyEvent(id, 'a1', parsePluginEvent({ type, data }))

  it('say where in its list the first added thing stands', () => {
    const id = create()
    expect(apply(id, 'status', { description: 'one' })).toBe(0)
    expect(apply(id, 'status', { description: 'two' })).toBe(1)
    expect(apply(id, 'files', { files: [{ id: 'a' }, { id: 'b' }] })).toBe(0)
    expect(apply(id, 'files', { files: [{ id: 'c' }] })).toBe(2)
    expect(apply(id, 'embeds', { embeds: ['<p>'], replace: true })).toBe(0)
    expect([
      apply(id, 'message', { content: 'x' }),
      apply(id, 'notification', { content: 'x' }),
    ]).toEqual([null, null])
  })

  it('status appends to statusHistory, source and citation append to sources', () => {
    const id = create()
    apply(id, 'status', { description: 'one', done: false })
    apply(id, 'status', { description: 'two', done: true, hidden: true })
    apply(id, 'source', { source: { name: 'a' } })
    apply(id, 'citation', { source: { name: 'b' } })
    expect(message(id)).toMatchObject({
      statusHistory: [
        { description: 'one', done: false },
        { description: 'two', done: true, hidden: true },
      ],
      sources: [{ source: { name: 'a' } }, { source: { name: 'b' } }],
    })
  })

  it('message appends to content and replace overwrites it', () => {
    const id = create()
    apply(id, 'message', { content: 'Hello' })
    apply(id, 'message', { content: ', you' })
    expect(message(id)!.content).toBe('Hello, you')
    apply(id, 'replace', { content: 'Instead' })
    expect(message(id)!.content).toBe('Instead')
  })

  it('embeds and files append; replace: true replaces and an empty list clears', () => {
    const id = create()
    apply(id, 'embeds', { embeds: ['a'] })
    apply(id, 'embeds', { embeds: ['b'] })
    expect(message(id)!.embeds).toEqual(['a', 'b'])
    apply(id, 'embeds', { embeds: ['c'], replace: true })
    expect(message(id)!.embeds).toEqual(['c'])
    apply(id, 'embeds', { embeds: [], replace: true })
    expect(message(id)!.embeds).toEqual([])
    apply(id, 'files', { files: [{ id: 'f' }] })
    apply(id, 'files', { files: [{ id: 'g' }] })
    expect(message(id)!.files).toEqual([{ id: 'f' }, { id: 'g' }])
  })

  it('the long names and other types leave no trace', () => {
    const id = create()
    const before = message(id)
    for (const type of [
      'chat:message:delta',
      'chat:message',
      'chat:message:files',
      'chat:message:embeds',
      'notification',
      'chat:title',
      'own:type',
    ])
      apply(id, type, { content: 'x', title: 'x', files: [1], embeds: ['x'] })
    expect(message(id)).toEqual(before)
  })
})

import { describe, expect, it } from 'vitest'
import { keepAnswer, stopOne } from './change-branch.ts'
import type { AnswerStart } from '../chat-api.ts'
import {
  createChatStore,
  patchMessage,
  toTemporaryId,
  withBeside,
  withPage,
} from '../chat-store.ts'
import { mergeAnswers } from './merge-answers.ts'
import { runAnswers } from '../sending/run-answer.ts'
import { regenerateAnswer, sendMessage } from '../sending/send-message.ts'
import { saveTemporaryChat } from '../temporary-chat.ts'
import { answer, createFakeApi, createFakeDeps, model, page, question } from '../testing-chat.ts'

const south = { id: 'south', name: 'South', isLocal: false }
const toBody = (text: string): ReadableStream<Uint8Array> => new Response(text).body!
const frame = (content: string, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }], ...more })}\n\n`

const comparedStore = () => {
  const store = createChatStore('chat')
  const siblingIds = ['a', 'b']
  const asked = question('q', { models: ['north', 'south'], content: 'Which?' })
  const first = answer('a', { parentId: 'q', modelIdx: 0, siblingIds, content: 'One' })
  const second = answer('b', {
    parentId: 'q',
    modelIdx: 1,
    siblingIds,
    content: 'Two',
    model: 'south',
    modelName: 'South',
  })
  store.setState((state) => withBeside(withPage(state, page([asked, first])), [second]), true)
  return store
}

describe('a question to several models', () => {
  it('stores an empty answer of each and asks all of them in one call', async () => {
    const store = createChatStore(null)
    const api = createFakeApi({
      startAnswer: () => Promise.resolve({ over: 'socket', taskIds: ['t1', 't2'] }),
    })
    await sendMessage(store, createFakeDeps(api), { text: 'Which?', model, others: [south] })
    const created = api.asked[0]![1] as {
      models: string[]
      history: { currentId: string; messages: Record<string, { modelIdx?: number }> }
    }
    const [questionId, first, second] = Object.keys(created.history.messages)
    expect(created.models).toEqual(['north', 'south'])
    expect(created.history.currentId).toBe(first)
    expect(created.history.messages[second!]).toMatchObject({
      model: 'south',
      modelIdx: 1,
      parentId: questionId,
    })
    expect(api.asked[1]![1]).toMatchObject({
      parent_id: questionId,
      message_ids: [
        { model_id: 'north', message_id: first, modelIdx: 0 },
        { model_id: 'south', message_id: second, modelIdx: 1 },
      ],
    })
    expect(api.asked[1]![1]).not.toHaveProperty('id')
    expect(store.getState().order).toEqual([questionId, first])
    await stopOne(store, { api }, second!)
    expect(api.asked.at(-1)).toEqual(['stopTask', 't2'])
  })

  it('one answer stopped before the reply names its task is stopped alone once it does', async () => {
    const store = comparedStore()
    const answers = ['a', 'b'].map((id) => ({ ...store.getState().messages[id]!, done: false }))
    store.setState(
      (state) => answers.reduce((next, growing) => patchMessage(next, growing.id, growing), state),
      true,
    )
    const reply = Promise.withResolvers<AnswerStart>()
    const api = createFakeApi({ startAnswer: () => reply.promise })
    const running = runAnswers(store, createFakeDeps(api), { answers, isFirst: false })
    const stopping = stopOne(store, { api }, 'a')
    reply.resolve({ over: 'socket', taskIds: ['t1', 't2'] })
    await Promise.all([running, stopping])
    expect(api.asked.filter(([name]) => name !== 'startAnswer')).toEqual([['stopTask', 't1']])
  })

  it('one answer stopped before it failed to begin leaves the others of the conversation alone', async () => {
    const store = comparedStore()
    const again = { ...store.getState().messages['a']!, done: false }
    store.setState(
      (state) => patchMessage(patchMessage(state, 'a', { done: false }), 'b', { done: false }),
      true,
    )
    const api = createFakeApi({ startAnswer: () => Promise.reject(new Error('no line')) })
    const running = runAnswers(store, createFakeDeps(api), { answers: [again], isFirst: false })
    await Promise.all([stopOne(store, { api }, 'a'), running])
    expect(api.asked.map(([name]) => name)).toEqual(['startAnswer'])
    expect(store.getState().messages['b']).toMatchObject({ done: false })
  })

  it('one answer whose task this window does not know, as without a live line, is stopped at once by its message', async () => {
    const store = comparedStore()
    const answers = ['a', 'b'].map((id) => ({ ...store.getState().messages[id]!, done: false }))
    store.setState(
      (state) => answers.reduce((next, growing) => patchMessage(next, growing.id, growing), state),
      true,
    )
    const asked = Promise.withResolvers<void>()
    const api = createFakeApi({
      startAnswer: () => (asked.resolve(), new Promise(() => undefined)),
    })
    void runAnswers(store, createFakeDeps(api, null), { answers, isFirst: false })
    await asked.promise
    await stopOne(store, { api }, 'a')
    expect(api.asked.slice(1)).toEqual([['stop', 'chat', 'a']])
  })

  it('without a live line each answer takes its own words of the one stream', async () => {
    const store = createChatStore(toTemporaryId('x'))
    const deps = createFakeDeps(
      createFakeApi({
        startAnswer: ({ message_ids: ids }) => {
          const [one, two] = (ids as { message_id: string }[]).map((target) => target.message_id)
          const body =
            frame('first', { message_id: one }) +
            frame('second', { message_id: two }) +
            frame(' half', { message_id: one })
          return Promise.resolve({ over: 'stream', body: toBody(`${body}data: [DONE]\n\n`) })
        },
      }),
    )
    await sendMessage(store, deps, { text: 'Which?', model, others: [south] })
    const answers = Object.values(store.getState().messages).filter(
      ({ role }) => role === 'assistant',
    )
    expect(answers.map(({ content, done }) => [content, done])).toEqual([
      ['first half', true],
      ['second', true],
    ])
  })

  it('one of the answers is written again by its own model, in its own column', async () => {
    const store = comparedStore()
    const api = createFakeApi()
    await regenerateAnswer(store, createFakeDeps(api), { answerId: 'b', model })
    expect(api.asked.at(-1)![1]).toMatchObject({ model: 'south' })
    expect(store.getState().messages['id-1']).toMatchObject({
      model: 'south',
      modelIdx: 1,
      siblingIds: ['a', 'b', 'id-1'],
    })
    expect(api.asked[0]![2]).not.toHaveProperty('models')
  })

  it('a chosen answer becomes the branch, and the question remembers it', async () => {
    const store = comparedStore()
    const second = store.getState().messages['b']!
    const api = createFakeApi({
      branch: () => Promise.resolve(page([question('q', { models: ['north', 'south'] }), second])),
    })
    await keepAnswer(store, { api }, 'b')
    expect(api.asked[0]).toEqual([
      'update',
      'chat',
      { history: { messages: { q: { keptId: 'b' } } } },
    ])
    expect(store.getState().order).toEqual(['q', 'b'])
    expect(store.getState().messages['q']?.keptId).toBe('b')
  })

  it('answers are merged into one that is stored once it is complete', async () => {
    const store = comparedStore()
    const api = createFakeApi({
      merge: () => Promise.resolve(toBody(`${frame('Both')}data: [DONE]\n\n`)),
    })
    await mergeAnswers(store, createFakeDeps(api), { answerId: 'a', model })
    expect(api.asked[0]![1]).toEqual({
      model: 'north',
      prompt: 'Which?',
      responses: ['One', 'Two'],
    })
    expect(api.asked[1]).toMatchObject([
      'update',
      'chat',
      {
        history: {
          currentId: 'id-1',
          messages: {
            q: { keptId: 'id-1' },
            'id-1': { content: 'Both', done: true, merged: true },
          },
        },
      },
    ])
    expect(store.getState().order).toEqual(['q', 'id-1'])
  })

  it('a merging that fails says why in its place and stores nothing', async () => {
    const store = comparedStore()
    const api = createFakeApi({ merge: () => Promise.reject(new Error('no model')) })
    await mergeAnswers(store, createFakeDeps(api), { answerId: 'a', model })
    expect(api.asked.map(([name]) => name)).toEqual(['merge'])
    expect(store.getState().messages['id-1']).toMatchObject({
      done: true,
      unsent: true,
      error: { content: expect.any(String) },
    })
  })
})

describe('a temporary chat', () => {
  it('asks under its own id, stores nothing, and is stored as a whole when it is kept', async () => {
    const store = createChatStore(toTemporaryId('x'))
    const api = createFakeApi()
    const deps = createFakeDeps(api)
    await sendMessage(store, deps, { text: 'Between us', model })
    expect(api.asked.map(([name]) => name)).toEqual(['startAnswer'])
    expect(api.asked[0]![1]).toMatchObject({ chat_id: 'temporary:x' })
    expect(await saveTemporaryChat(store, deps)).toBe('chat')
    expect(api.asked[1]![1]).toMatchObject({
      title: 'Between us',
      models: ['north'],
      history: { currentId: 'id-2' },
    })
    expect(store.getState().chatId).toBe('chat')
  })
})

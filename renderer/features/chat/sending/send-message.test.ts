import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import {
  createChatStore,
  patchMessage,
  selectIsAnswering,
  selectLastMessage,
  withPage,
} from '../chat-store.ts'
import { editMessage, regenerateAnswer, retryAnswer, sendMessage } from './send-message.ts'
import { answer, createFakeApi, createFakeDeps, model, page, question } from '../testing-chat.ts'

const openedStore = () => {
  const store = createChatStore('chat')
  const messages = [question('q1', { childrenIds: ['a1'] }), answer('a1', { parentId: 'q1' })]
  store.setState((state) => withPage(state, page(messages)), true)
  return store
}

const toBody = (text: string): ReadableStream<Uint8Array> => new Response(text).body!

describe('sending', () => {
  it('the first message stores the chat with question and placeholder, then asks for the answer', async () => {
    const store = createChatStore(null)
    const api = createFakeApi()
    const acknowledged = vi.fn()
    await sendMessage(store, createFakeDeps(api), { text: 'Hello\nthere', model, acknowledged })
    expect(api.asked.map(([name]) => name)).toEqual(['create', 'startAnswer'])
    const [answerId, questionId] = ['id-2', 'id-1']
    expect(api.asked[0]![1]).toMatchObject({
      title: 'Hello there',
      models: ['north'],
      timestamp: 1_000_000,
      history: {
        currentId: answerId,
        messages: {
          [questionId]: {
            role: 'user',
            content: 'Hello\nthere',
            parentId: null,
            childrenIds: [answerId],
            timestamp: 1000,
            models: ['north'],
          },
          [answerId]: {
            role: 'assistant',
            content: '',
            parentId: questionId,
            childrenIds: [],
            model: 'north',
            modelName: 'North',
            modelIdx: 0,
            done: false,
          },
        },
      },
    })
    expect(api.asked[1]![1]).toMatchObject({
      chat_id: 'chat',
      id: answerId,
      session_id: 'session',
      stream: true,
      messages: [{ role: 'user', content: 'Hello\nthere' }],
      background_tasks: { title_generation: true },
    })
    expect(acknowledged).toHaveBeenCalledWith('chat', 'Hello\nthere')
    expect(store.getState().chatId).toBe('chat')
  })

  it('shows question and empty answer before anything was stored', () => {
    const store = createChatStore(null)
    void sendMessage(
      store,
      createFakeDeps(createFakeApi({ create: () => new Promise(() => {}) })),
      { text: 'Hello', model },
    )
    expect(store.getState().order).toEqual(['id-2', 'id-1'].toReversed())
    expect(selectIsAnswering(store.getState())).toBe(true)
  })

  it('a following message only sends the new pair, and the whole conversation to the model', async () => {
    const store = openedStore()
    const api = createFakeApi()
    await sendMessage(store, createFakeDeps(api), { text: 'More', model })
    expect(api.asked[0]).toMatchObject(['update', 'chat', { history: { currentId: 'id-2' } }])
    expect(
      Object.keys((api.asked[0]![2] as { history: { messages: object } }).history.messages),
    ).toEqual(['id-1', 'id-2'])
    expect(api.asked[1]![1]).toMatchObject({
      messages: [
        { role: 'user', content: 'question q1' },
        { role: 'assistant', content: 'answer a1' },
        { role: 'user', content: 'More' },
      ],
      background_tasks: { title_generation: false },
    })
  })

  it('reads what is missing of a long conversation before it is sent to the model', async () => {
    const store = createChatStore('chat')
    store.setState(
      (state) => withPage(state, page([question('q2'), answer('a2')], { before: 'q2' })),
      true,
    )
    const api = createFakeApi({
      branch: () => Promise.resolve(page([question('q1'), answer('a1')])),
    })
    await sendMessage(store, createFakeDeps(api), { text: 'More', model })
    const request = api.asked.find(([name]) => name === 'startAnswer')![1] as {
      messages: unknown[]
    }
    expect(request.messages).toHaveLength(5)
  })

  it('that fails keeps the text on the screen and says why in the place of the answer', async () => {
    const store = openedStore()
    const failure = new ApiError({ status: 507, detail: 'The disk is full.', code: 'disk_full' })
    const acknowledged = vi.fn()
    await sendMessage(
      store,
      createFakeDeps(createFakeApi({ update: () => Promise.reject(failure) })),
      {
        text: 'More',
        model,
        acknowledged,
      },
    )
    expect(store.getState().messages['id-1']).toMatchObject({ content: 'More', unsent: true })
    expect(selectLastMessage(store.getState())).toMatchObject({
      done: true,
      error: { content: 'The disk is full.', status: 507 },
    })
    expect(acknowledged).not.toHaveBeenCalled()
  })

  it('without a live socket reads the answer from the call itself', async () => {
    const frames = [
      { choices: [{ delta: { reasoning_content: 'Hm' } }] },
      { choices: [{ delta: { content: 'Hel' } }] },
      { choices: [{ delta: { content: 'lo' } }] },
    ]
    const text = `: keep-alive\n\n${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`
    const store = openedStore()
    const stored = [
      question('q1'),
      answer('a1'),
      question('id-1'),
      answer('id-2', { content: 'Hello', reasoning_content: 'Hm' }),
    ]
    const api = createFakeApi({
      startAnswer: () => Promise.resolve({ over: 'stream', body: toBody(text) }),
      branch: () => Promise.resolve(page(stored)),
    })
    await sendMessage(store, createFakeDeps(api, null), { text: 'More', model })
    expect(selectLastMessage(store.getState())).toMatchObject({
      content: 'Hello',
      reasoning_content: 'Hm',
      done: true,
    })
  })
})

describe('branches', () => {
  it('answering again puts a sibling beside the old answer', async () => {
    const store = openedStore()
    const api = createFakeApi()
    await regenerateAnswer(store, createFakeDeps(api), { answerId: 'a1', model })
    expect(store.getState().order).toEqual(['q1', 'id-1'])
    expect(selectLastMessage(store.getState())).toMatchObject({
      parentId: 'q1',
      siblingIds: ['a1', 'id-1'],
    })
    expect(api.asked[1]![1]).toMatchObject({
      id: 'id-1',
      messages: [{ role: 'user', content: 'question q1' }],
    })
  })

  it('an edited question is a sibling of the old one and nothing is overwritten', async () => {
    const store = openedStore()
    const api = createFakeApi()
    await editMessage(store, createFakeDeps(api), { messageId: 'q1', text: 'Better', model })
    expect(store.getState().order).toEqual(['id-2', 'id-1'].toReversed())
    expect(store.getState().messages['id-1']).toMatchObject({
      content: 'Better',
      parentId: null,
      siblingIds: ['q1', 'id-1'],
    })
    expect(JSON.stringify(api.asked)).not.toContain('"q1":')
  })

  it('an edited question takes along the files that were left on it', async () => {
    const files = [{ type: 'file', id: 'f1', name: 'lease.md' }]
    for (const [given, expected] of [
      [undefined, [{ id: 'old' }]],
      [files, files],
      [[], undefined],
    ] as const) {
      const api = createFakeApi()
      const store = openedStore()
      store.setState((state) => patchMessage(state, 'q1', { files: [{ id: 'old' }] }), true)
      await editMessage(store, createFakeDeps(api), {
        messageId: 'q1',
        text: 'Better',
        model,
        files: given,
      })
      const edited = Object.values(store.getState().messages).find(
        (message) => message?.content === 'Better',
      )
      expect(edited?.files).toEqual(expected)
    }
  })

  it('retry of a message that was never stored sends the same pair again', async () => {
    const store = openedStore()
    let isUp = false
    const api = createFakeApi({
      update: () => (isUp ? Promise.resolve() : Promise.reject(new Error('No.'))),
    })
    const deps = createFakeDeps(api)
    await sendMessage(store, deps, { text: 'More', model })
    isUp = true
    await retryAnswer(store, deps, { answerId: 'id-2', model })
    expect(store.getState().order).toEqual(['q1', 'a1', 'id-1', 'id-2'])
    expect(selectLastMessage(store.getState())).toMatchObject({ done: false, unsent: undefined })
    expect(selectLastMessage(store.getState())?.error).toBeUndefined()
  })

  it('retry of a stored failure writes a new answer beside it', async () => {
    const store = openedStore()
    await retryAnswer(store, createFakeDeps(createFakeApi()), { answerId: 'a1', model })
    expect(selectLastMessage(store.getState())?.siblingIds).toEqual(['a1', 'id-1'])
  })
})

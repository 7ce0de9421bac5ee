import { afterEach, expect, test, vi } from 'vitest'
import { lastUserText, toPieces, type Script } from '../../testing/fake-upstream/script.ts'
import {
  startConversation,
  type Conversation,
  type OpenChat,
} from '../../testing/start-conversation.ts'

const PROMPTS = { TITLE: 'Name it:', TAGS: 'Sort it:', FOLLOW_UP: 'What next:' }
const SAID = {
  TITLE: '{"title": "Braking trains"}',
  TAGS: '{"tags": ["Trains", "Brakes"]}',
  FOLLOW_UP: '{"follow_ups": ["And ships?", "Who invented it?"]}',
}
type Kind = keyof typeof PROMPTS
const KINDS = Object.keys(PROMPTS) as Kind[]
const kindOf = (text: string): Kind | undefined =>
  KINDS.find((kind) => text.startsWith(PROMPTS[kind]))

/** Answers questions with one sentence and small tasks with their JSON. */
const play: Script = async (input) => {
  const kind = kindOf(lastUserText(input))
  return { steps: toPieces(kind ? SAID[kind] : 'With air.') }
}

let conversation: Conversation
afterEach(() => conversation.close())

const start = async (script: Script = play) => {
  conversation = await startConversation({
    upstream: { models: ['text', 'echo'], script },
    environment: Object.fromEntries(
      KINDS.map((kind) => [
        `${kind}_GENERATION_PROMPT_TEMPLATE`,
        `${PROMPTS[kind]} {{MESSAGES:END:6}}`,
      ]),
    ),
  })
}
const ALL = { title_generation: true, tags_generation: true, follow_up_generation: true }
const finish = (chat: OpenChat, more: Record<string, unknown> = {}) =>
  conversation
    .complete({
      model: 'text',
      messages: [],
      chat_id: chat.chat_id,
      id: chat.id,
      background_tasks: ALL,
      ...more,
    })
    .then((response) => response.text())
const asked = () =>
  conversation.upstream.requests.flatMap(({ json }) => {
    const messages = json?.['messages'] as { content: string }[] | undefined
    return kindOf(messages?.at(-1)?.content ?? '') ?? []
  })
const tasksOf = async () => {
  const response = await conversation.server.call('GET', '/api/tasks', {
    token: conversation.token,
  })
  return ((await response.json()) as { tasks: string[] }).tasks
}

test('After an answer follow-up questions, title and tags are written in this order, stored and announced', async () => {
  await start()
  const socket = await conversation.openSocket()
  const chat = await conversation.createChat('How do trains brake?')
  await finish(chat)
  const tags = await socket.event('chat:tags')
  expect(asked()).toEqual(['FOLLOW_UP', 'TITLE', 'TAGS'])
  expect(tags).toMatchObject({
    chat_id: chat.chat_id,
    message_id: chat.id,
    data: { data: { tags: ['Trains', 'Brakes'] } },
  })
  const followUps = await socket.event('chat:message:follow_ups')
  expect(followUps).toMatchObject({
    message_id: chat.id,
    data: { data: { follow_ups: ['And ships?', 'Who invented it?'] } },
  })
  expect(await conversation.readMessage(chat)).toMatchObject({
    followUps: ['And ships?', 'Who invented it?'],
    content: 'With air.',
    done: true,
  })
  const stored = await conversation.readChat(chat.chat_id)
  expect(stored.title).toBe('Braking trains')
  const listed = await conversation.server.call('GET', `/api/v1/chats/${chat.chat_id}/tags`, {
    token: conversation.token,
  })
  expect(await listed.json()).toMatchObject([{ name: 'Trains' }, { name: 'Brakes' }])
})

const LONG = 400

/** Creates a chat of many messages with an answer to be written at its end. */
async function createLongChat(): Promise<OpenChat> {
  const entries = Array.from({ length: LONG }, (_, index) => {
    const message = {
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Text ${index}.`,
      done: true,
    }
    return [`m${index}`, { ...message, parentId: index === 0 ? null : `m${index - 1}` }] as const
  })
  const question = { role: 'user', content: 'And ships?', parentId: `m${LONG - 1}` }
  const messages = Object.fromEntries([...entries, ['question', question]])
  const body = { chat: { title: 'New Chat', history: { currentId: 'question', messages } } }
  const response = await conversation.server.call('POST', '/api/v1/chats/new', {
    token: conversation.token,
    body,
  })
  return {
    chat_id: ((await response.json()) as { id: string }).id,
    questionId: 'question',
    id: 'answer',
  }
}

test('Texts beside an answer read no more of a long chat than they show', async () => {
  await start()
  const socket = await conversation.openSocket()
  const chat = await createLongChat()
  const { chats } = conversation.server.context
  const read = [vi.spyOn(chats, 'thread'), vi.spyOn(chats, 'get'), vi.spyOn(chats, 'spokenThread')]
  await finish(chat, { messages: [{ role: 'user', content: 'And ships?' }], parent_id: 'question' })
  await socket.event('chat:tags')
  expect(asked()).toEqual(['FOLLOW_UP', 'TITLE', 'TAGS'])
  const shown = conversation.upstream.requests.map(({ json }) =>
    String((json?.['messages'] as { content: string }[] | undefined)?.at(-1)?.content),
  )
  expect(shown.find((text) => text.startsWith(PROMPTS.TAGS))).toBe(
    'Sort it: USER: Text 396.\nASSISTANT: Text 397.\nUSER: Text 398.\nASSISTANT: Text 399.\nUSER: And ships?\nASSISTANT: With air.',
  )
  const results = await Promise.all(
    read.flatMap((spy) =>
      spy.mock.results.map(({ value }) => value as Promise<readonly unknown[]>),
    ),
  )
  expect(results.reduce((sum, messages) => sum + messages.length, 0)).toBeLessThan(LONG / 4)
})

test('A template that shows the beginning of a conversation gets it, however long that is', async () => {
  await start()
  await conversation.server.context.settings.update({
    TAGS_GENERATION_PROMPT_TEMPLATE: `${PROMPTS.TAGS} {{MESSAGES:MIDDLETRUNCATE:2}} {{prompt}}`,
  })
  const socket = await conversation.openSocket()
  await finish(await createLongChat(), { parent_id: 'question' })
  await socket.event('chat:tags')
  expect(conversation.upstream.requests.map(({ text }) => text).join('')).toContain(
    'Sort it: USER: Text 0.\\nASSISTANT: With air. And ships?',
  )
})

test('Tags a person gave stay beside those of the model', async () => {
  await start()
  const socket = await conversation.openSocket()
  const chat = await conversation.createChat('How do trains brake?')
  await conversation.server.call('POST', `/api/v1/chats/${chat.chat_id}/tags`, {
    token: conversation.token,
    body: { name: 'Mine' },
  })
  await finish(chat)
  expect((await socket.event('chat:tags')).data.data['tags']).toEqual(['Mine', 'Trains', 'Brakes'])
})

test('Nothing is written that the request did not ask for, or that is switched off', async () => {
  await start()
  const socket = await conversation.openSocket()
  await conversation.server.context.settings.update({
    ENABLE_FOLLOW_UP_GENERATION: false,
    ENABLE_TAGS_GENERATION: false,
  })
  const chat = await conversation.createChat('How do trains brake?')
  await finish(chat)
  await socket.event('chat:title')
  await finish(await conversation.createChat('Again?'), { background_tasks: {} })
  await expect.poll(tasksOf).toEqual([])
  expect(asked()).toEqual(['TITLE'])
})

test('A task that fails does not keep the others from being written', async () => {
  await start(async (input) =>
    kindOf(lastUserText(input)) === 'FOLLOW_UP' ? { status: 500, body: '{}' } : await play(input),
  )
  const socket = await conversation.openSocket()
  await finish(await conversation.createChat('How do trains brake?'))
  await socket.event('chat:tags')
  expect(socket.frames.some(({ data }) => data?.type === 'chat:message:follow_ups')).toBe(false)
})

test('The answer is done before anything is written beside it, and stopping the chat ends that', async () => {
  await start(async (input) =>
    kindOf(lastUserText(input)) ? { steps: [{ kind: 'stall' }] } : await play(input),
  )
  const chat = await conversation.createChat('How do trains brake?')
  await finish(chat)
  expect(await conversation.readMessage(chat)).toMatchObject({ done: true })
  await expect.poll(() => asked()).toEqual(['FOLLOW_UP'])
  expect(await tasksOf()).toHaveLength(1)
  const running = await conversation.server.call('GET', `/api/tasks/chat/${chat.chat_id}`, {
    token: conversation.token,
  })
  expect(await running.json()).toEqual({ task_ids: [] })
  const stopped = await conversation.server.call('POST', `/api/tasks/chat/${chat.chat_id}/stop`, {
    token: conversation.token,
  })
  expect(await stopped.json()).toMatchObject({ status: true })
  await expect.poll(tasksOf).toEqual([])
  expect(asked()).toEqual(['FOLLOW_UP'])
})

test('Of several answers each has its own follow-up questions, and the chat is named once', async () => {
  await start()
  const socket = await conversation.openSocket()
  const response = await conversation.complete({
    model: 'text',
    messages: [{ role: 'user', content: 'How do trains brake?' }],
    parent_id: null,
    message_ids: { text: 'answer-1', echo: 'answer-2' },
    background_tasks: ALL,
  })
  await response.text()
  await socket.event('chat:tags')
  await expect.poll(tasksOf).toEqual([])
  expect(asked().toSorted()).toEqual(['FOLLOW_UP', 'FOLLOW_UP', 'TAGS', 'TITLE'])
})

import { afterEach, expect, test } from 'vitest'
import { lastUserText, toPieces, type Script } from '../../testing/fake-upstream/script.ts'
import {
  startConversation,
  type Conversation,
  type ConversationOptions,
} from '../../testing/start-conversation.ts'

const TITLE_REQUEST = 'Name this chat:'

/** Answers questions with one sentence, and requests for a title with the given one. */
const titled =
  (title: string): Script =>
  async (input) => ({
    steps: toPieces(lastUserText(input).startsWith(TITLE_REQUEST) ? title : 'An answer.'),
  })

let conversation: Conversation
afterEach(() => conversation.close())

async function start(title: string, options: ConversationOptions = {}) {
  const environment = {
    TITLE_GENERATION_PROMPT_TEMPLATE: `${TITLE_REQUEST} {{MESSAGES:END:2}}`,
    ...options.environment,
  }
  conversation = await startConversation({
    upstream: { models: ['text', 'namer'], script: titled(title), ...options.upstream },
    environment,
  })
}

async function converse(options: { title?: string; model?: string } = {}) {
  const socket = await conversation.openSocket()
  const chat = await conversation.createChat('How do trains brake?', options)
  const body = {
    model: options.model ?? 'text',
    messages: [{ role: 'user', content: 'How do trains brake?' }],
    chat_id: chat.chat_id,
    id: chat.id,
  }
  await (
    await conversation.complete({ ...body, background_tasks: { title_generation: true } })
  ).text()
  return { chat, socket, title: async () => (await conversation.readChat(chat.chat_id)).title }
}
const titleRequests = () =>
  conversation.upstream.requests.filter(({ text }) => text.includes(TITLE_REQUEST))

test('The model of the chat names it after the first answer, and windows hear of it', async () => {
  await start('{"title": "Braking trains"}')
  const { chat, socket, title } = await converse()
  const event = await socket.event('chat:title')
  expect(event).toMatchObject({
    chat_id: chat.chat_id,
    message_id: chat.id,
    data: { data: { title: 'Braking trains' } },
  })
  expect(await title()).toBe('Braking trains')
  expect(titleRequests()[0]!.text).toContain('How do trains brake?')
  expect(titleRequests()[0]!.json).toMatchObject({ model: 'text', stream: false })
})

test('TASK_MODEL names chats with local models', async () => {
  await start('Braking trains', { environment: { TASK_MODEL: 'namer' } })
  const { socket } = await converse()
  await socket.event('chat:title')
  expect(titleRequests()[0]!.json).toMatchObject({ model: 'namer' })
})

test('Without title generation the beginning of the question is the title', async () => {
  await start('unused', { environment: { ENABLE_TITLE_GENERATION: 'false' } })
  const { socket, title } = await converse()
  await socket.event('chat:title')
  expect(await title()).toBe('How do trains brake?')
  expect(titleRequests()).toEqual([])
})

test('A model that fails or says nothing leaves the beginning of the question', async () => {
  await start('')
  const { socket, title } = await converse()
  await socket.event('chat:title')
  expect(await title()).toBe('How do trains brake?')
})

test('The guide names no chats', async () => {
  await start('unused')
  const { socket, title } = await converse({ model: 'guide' })
  await socket.event('chat:title')
  expect(await title()).toBe('How do trains brake?')
  expect(titleRequests()).toEqual([])
})

test('A chat that has a name gets the title a script wishes for', async () => {
  await start('{"title": "Braking trains"}')
  const { socket, title } = await converse({ title: 'My brakes' })
  await socket.event('chat:title')
  expect(await title()).toBe('Braking trains')
})

test('A name that a person gives while the answer is written is never overwritten', async () => {
  let rename = async (): Promise<void> => undefined
  const answering: Script = async () => {
    await rename()
    return { steps: toPieces('An answer.') }
  }
  await start('unused', { upstream: { script: answering } })
  const socket = await conversation.openSocket()
  const chat = await conversation.createChat('How do trains brake?')
  rename = () => conversation.server.context.chats.setTitle(chat.chat_id, 'My brakes')
  const messages = [{ role: 'user', content: 'How do trains brake?' }]
  const background_tasks = { title_generation: true, follow_up_generation: false }
  await (
    await conversation.complete({
      model: 'text',
      messages,
      chat_id: chat.chat_id,
      id: chat.id,
      background_tasks,
    })
  ).text()
  await socket.event('chat:completion')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await conversation.readChat(chat.chat_id)).title).toBe('My brakes')
  expect(titleRequests()).toEqual([])
})

test.each(['How do tr…', 'How  do', ''])(
  'A chat still called %j, the beginning of its question, gets a title',
  async (given) => {
    await start('{"title": "Braking trains"}')
    const { socket, title } = await converse({ title: given })
    await socket.event('chat:title')
    expect(await title()).toBe('Braking trains')
  },
)

test('A chat of several questions gets the title a script wishes for, and keeps its name when no model gives one', async () => {
  let said = '{"title": "Braking trains"}'
  await start('', { upstream: { script: (input) => titled(said)(input) } })
  const { chat, socket, title } = await converse()
  await socket.event('chat:title')
  for (const [place, [answer, name]] of [
    ['{"title": "Trains and ships"}', 'Trains and ships'],
    ['', 'Trains and ships'],
  ].entries()) {
    said = answer!
    const content = `And ships? ${place}`
    const own = {
      model: 'text',
      messages: [{ role: 'user', content }],
      chat_id: chat.chat_id,
      id: `a${place}`,
    }
    const background_tasks = { title_generation: true, tags_generation: true }
    await (
      await conversation.complete({ ...own, user_message: { content }, background_tasks })
    ).text()
    // Tags are requested once there is a title.
    await expect
      .poll(() => conversation.upstream.requests.filter(({ text }) => text.includes(content)))
      .toHaveLength(3)
    expect(await title()).toBe(name)
  }
})

test('Reasoning between tags is told apart from the answer, and large answers stream in deltas that fit together', async () => {
  const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ')
  await start('unused', {
    upstream: {
      models: ['text'],
      script: async () => ({ steps: toPieces(`<think>Let me count.</think>\n\n${words}`) }),
    },
  })
  const { chat, socket } = await converse()
  await socket.event('chat:completion')
  expect(socket.text(chat.id)).toBe(words)
  expect(socket.text(chat.id, 'chat:reasoning:delta')).toBe('Let me count.')
  expect(await conversation.readMessage(chat)).toMatchObject({
    content: words,
    reasoning_content: 'Let me count.',
    done: true,
  })
})

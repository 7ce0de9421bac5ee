import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
let stranger: string
beforeAll(async () => {
  conversation = await startConversation()
  stranger = await conversation.addUser('Bob')
})
afterAll(() => conversation.close())

const post = (path: string, body: unknown, token = conversation.token) =>
  conversation.server.call('POST', path, { token, body })
const BODY = {
  model: 'text',
  messages: [{ id: 'a', role: 'assistant', content: 'Hi', extra: [1] }],
  session_id: 'any',
  filter_ids: ['none'],
}

test.each(['/api/chat/completed', '/api/v1/chat/completed', '/api/chat/completed/'])(
  '%s needs no ids and hands the body back',
  async (path) => {
    const response = await post(path, BODY)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(BODY)
  },
)

test('ids that name nothing stored are taken as they are, but a foreign or missing chat is a 404', async () => {
  const chat = await conversation.createChat('Mine')
  expect(
    (await post('/api/chat/completed', { ...BODY, chat_id: 'local:window', id: 'a' }, stranger))
      .status,
  ).toBe(200)
  expect((await post('/api/chat/completed', { ...BODY, chat_id: chat.chat_id })).status).toBe(200)
  for (const chat_id of [chat.chat_id, 'no-such-chat']) {
    expect(
      (await post('/api/chat/completed', { ...BODY, chat_id, id: chat.id }, stranger)).status,
    ).toBe(404)
  }
})

test('an answer without filters is not touched', async () => {
  const chat = await conversation.createChat('Hello')
  await (
    await conversation.complete({ model: 'text', messages: [], chat_id: chat.chat_id, id: chat.id })
  ).text()
  const before = await conversation.readMessage(chat)
  await post('/api/chat/completed', {
    model: 'text',
    messages: [{ id: chat.id, role: 'assistant', content: 'forged' }],
    chat_id: chat.chat_id,
    id: chat.id,
  })
  expect(await conversation.readMessage(chat)).toEqual(before)
})

test('a model that is not there is refused', async () => {
  const reply = await post('/api/chat/completed', { ...BODY, model: 'nobody-knows-it' })
  expect([reply.status, await reply.json()]).toMatchObject([
    400,
    { detail: expect.stringContaining('Model not found') as string },
  ])
})

test('an action nobody has installed is a 404', async () => {
  for (const id of ['some_action', 'some_action.part'])
    expect((await post(`/api/chat/actions/${id}`, BODY)).status).toBe(404)
})

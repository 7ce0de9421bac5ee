import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

const ask = (content: string, more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content }],
  ...more,
})
const listChats = async () =>
  (await conversation.server.call('GET', '/api/v1/chats/', { token: conversation.token })).json()

test.each(['local:window', 'temporary:window'])(
  'A chat_id such as %s is answered over the session alone, and nothing is stored',
  async (chat_id) => {
    const [own, beside] = [await conversation.openSocket(), await conversation.openSocket()]
    const response = await conversation.complete(
      ask('/echo hi', { chat_id, id: 'a1', session_id: own.sessionId, stream: true }),
    )
    expect(await response.json()).toMatchObject({
      status: true,
      chat_id,
      task_ids: [expect.any(String)],
    })
    const done = await own.event('chat:completion')
    expect(done).toMatchObject({
      chat_id,
      message_id: 'a1',
      data: { data: { done: true, content: '/echo hi' } },
    })
    expect(own.text('a1')).toBe('/echo hi')
    expect(beside.frames.filter(({ type }) => type === 'events')).toEqual([])
    expect(await listChats()).toEqual([])
  },
)

test('A temporary answer can be stopped by its task', async () => {
  const socket = await conversation.openSocket()
  const response = await conversation.complete(
    ask('/slow 400', { chat_id: 'local:stop', session_id: socket.sessionId }),
  )
  const { task_id: taskId } = (await response.json()) as { task_id: string }
  await socket.event('chat:message:delta')
  await conversation.server.call('POST', `/api/tasks/stop/${taskId}`, { token: conversation.token })
  expect((await socket.event('chat:completion')).data.data).toMatchObject({
    done: true,
    error: { code: 'stopped' },
  })
})

test('A temporary chat without a live session is answered stateless', async () => {
  const response = await conversation.complete(
    ask('Hello', { chat_id: 'local:nobody', id: 'a1', session_id: 'gone' }),
  )
  expect(await response.json()).toMatchObject({ object: 'chat.completion' })
  expect(await listChats()).toEqual([])
})

test('Two people may use the same temporary id at once', async () => {
  const stranger = await conversation.addUser('Bob')
  const [own, other] = [await conversation.openSocket(), await conversation.openSocket(stranger)]
  const body = { chat_id: 'local:same', id: 'a1' }
  await conversation.complete(ask('/echo mine', { ...body, session_id: own.sessionId }))
  await conversation.complete(ask('/echo theirs', { ...body, session_id: other.sessionId }), {
    token: stranger,
  })
  expect((await own.event('chat:completion')).data.data['content']).toBe('/echo mine')
  expect((await other.event('chat:completion')).data.data['content']).toBe('/echo theirs')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../testing/start-extended-conversation.ts'

let conversation: ExtendedConversation
let stranger = ''
beforeAll(async () => {
  conversation = await startExtendedConversation(() => ({
    actions: async (id, body, { tell, chatId, messageId, caller }) => {
      tell({ type: 'status', data: { description: `Ran ${id}`, done: true } })
      return { id, chatId, messageId, caller: caller.name, count: body.messages.length }
    },
    outlets: [
      {
        takesPart: () => true,
        run(body, { chatId, tell }) {
          tell({ type: 'status', data: { description: `Outlet of ${String(chatId)}`, done: true } })
          return body
        },
      },
    ],
  }))
  stranger = await conversation.addUser('Bob')
})
afterAll(() => conversation.close())

test('An action runs for the owner of a chat, with a line to its windows', async () => {
  const socket = await conversation.openSocket()
  const chat = await conversation.createChat('Hello')
  const body = { model: 'text', messages: [], chat_id: chat.chat_id, id: chat.id }
  const reply = await conversation.call('/api/chat/actions/pin.now', body)
  expect(await reply.json()).toEqual({
    id: 'pin.now',
    chatId: chat.chat_id,
    messageId: chat.id,
    caller: 'Ada',
    count: 0,
  })
  expect((await socket.event('status')).data.data).toMatchObject({ description: 'Ran pin.now' })
  expect((await conversation.readMessage(chat)).statusHistory).toMatchObject([
    { description: 'Ran pin.now' },
  ])
})

test('A foreign chat is a 404, and nothing runs', async () => {
  const chat = await conversation.createChat('Hello')
  const body = { model: 'text', messages: [], chat_id: chat.chat_id, id: chat.id }
  expect((await conversation.call('/api/chat/actions/pin', body, stranger)).status).toBe(404)
  expect(await conversation.readMessage(chat)).not.toHaveProperty('statusHistory')
})

test('An outlet knows the place of the answer it looks at', async () => {
  const chat = await conversation.createChat('Hello')
  await (
    await conversation.complete({
      model: 'text',
      messages: [{ role: 'user', content: 'Hello' }],
      chat_id: chat.chat_id,
      id: chat.id,
    })
  ).json()
  const read = async () => (await conversation.readMessage(chat)).statusHistory
  await expect.poll(read).toMatchObject([{ description: `Outlet of ${chat.chat_id}` }])
})

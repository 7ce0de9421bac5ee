import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { io } from 'socket.io-client'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

interface Heard {
  readonly chat_id: string
  readonly message_id: string
  readonly data: { readonly type: string; readonly data: unknown }
}

async function connect() {
  const socket = io(conversation.server.url, {
    path: '/ws/socket.io',
    transports: ['websocket'],
    auth: { token: conversation.token },
    forceNew: true,
    reconnection: false,
  })
  onTestFinished(() => void socket.disconnect())
  const heard: Heard[] = []
  socket.on('events', (event: Heard) => heard.push(event))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  // Authentication finishes a moment after the connection; a reply arrives after it.
  await socket.emitWithAck('heartbeat', {})
  return { socket, heard }
}

test('a temporary chat is reported from its begin to its end, to the client that keeps it alone', async () => {
  const [own, beside] = [await connect(), await connect()]
  const chatId = `local:${own.socket.id}`
  await conversation.complete({
    model: 'text',
    stream: true,
    messages: [{ role: 'user', content: '/echo hi' }],
    chat_id: chatId,
    id: 'a1',
    session_id: own.socket.id,
  })
  const active = (isActive: boolean) => ({
    chat_id: chatId,
    message_id: 'a1',
    data: { type: 'chat:active', data: { active: isActive } },
  })
  await expect.poll(() => own.heard.at(-1)).toEqual(active(false))
  expect(own.heard[0]).toEqual(active(true))
  expect(own.heard.at(-2)?.data.type).toBe('chat:outlet')
  // A reply to this client arrives after every event it had to receive before.
  await beside.socket.emitWithAck('heartbeat', {})
  expect(beside.heard).toEqual([])
})

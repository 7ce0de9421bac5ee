import { afterAll, beforeAll, expect, test } from 'vitest'
import { io } from 'socket.io-client'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

test.each([
  ['values', Array(21_000).fill(0) as unknown[]],
  ['levels', JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown[]],
])('A packet with too many %s ends the connection, also that of a stranger', async (_, rich) => {
  for (const token of [conversation.token, undefined]) {
    const socket = io(conversation.server.url, {
      path: '/ws/socket.io',
      transports: ['websocket'],
      auth: { token },
      forceNew: true,
      reconnection: false,
    })
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    await socket.emitWithAck('heartbeat', { list: Array(1000).fill(0) })
    const ended = new Promise<unknown>((resolve) => socket.once('disconnect', resolve))
    socket.emit('heartbeat', { rich })
    expect(await ended).toBe('transport close')
  }
})

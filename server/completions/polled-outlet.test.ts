import { expect, onTestFinished, test } from 'vitest'
import type { Outlet } from '../extensions/filters.ts'
import { startExtendedConversation } from '../testing/start-extended-conversation.ts'

test('A client that polls for the end of the tasks of a chat reads what the outlet filters left', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const outlet: Outlet = {
    takesPart: () => true,
    async run(body) {
      begin()
      await released
      return {
        ...body,
        messages: body.messages.map((message) =>
          message['role'] === 'assistant' ? { ...message, content: 'Filtered' } : message,
        ),
      }
    },
  }
  const conversation = await startExtendedConversation(() => ({ outlets: [outlet] }))
  onTestFinished(() => conversation.close())
  const { server, token } = conversation
  const chat = await conversation.createChat('Hello')
  const tasks = async () => {
    const reply = await server.call('GET', `/api/tasks/chat/${chat.chat_id}`, { token })
    return ((await reply.json()) as { task_ids: string[] }).task_ids.length
  }
  const reply = conversation.complete({
    model: 'text',
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
    chat_id: chat.chat_id,
    id: chat.id,
  })
  await begun
  expect(await tasks()).toBe(1)
  release()
  await expect.poll(tasks).toBe(0)
  expect((await conversation.readMessage(chat)).content).toBe('Filtered')
  await (await reply).text()
})

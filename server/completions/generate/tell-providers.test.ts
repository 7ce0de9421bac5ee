import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({
    upstream: {
      models: ['text'],
      script: async () => ({ steps: [{ kind: 'content', text: 'Hello' }] }),
    },
  })
})
afterAll(() => conversation.close())

const ask = async (more: Record<string, unknown> = {}) => {
  conversation.upstream.requests.length = 0
  await (
    await conversation.complete({
      model: 'text',
      messages: [{ role: 'user', content: 'Hi' }],
      ...more,
    })
  ).text()
  return conversation.upstream.requests[0]!.headers as Record<string, string>
}
const named = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('x-'))

test('providers are told who asks only while that is switched on, for relayed, streamed and stored answers', async () => {
  expect(named(await ask())).toEqual([])
  const { settings } = conversation.server.context
  await settings.update({
    ENABLE_FORWARD_USER_INFO_HEADERS: true,
    FORWARD_USER_INFO_HEADER_USER_ID: 'X-Person',
  })
  for (const more of [{}, { stream: true }, { params: { temperature: 0 } }]) {
    const headers = await ask(more)
    expect(headers).toMatchObject({
      'x-service-user-name': 'Ada',
      'x-service-user-email': 'ada@example.com',
      'x-service-user-role': 'admin',
    })
    expect(headers['x-person']).toBeTruthy()
    expect(headers).toMatchObject({ authorization: 'Bearer sk-upstream-key-000000' })
    expect(JSON.stringify(headers)).not.toContain(conversation.token)
  }
  const chat = await conversation.createChat('Hi')
  const headers = await ask({ chat_id: chat.chat_id, id: chat.id })
  expect(headers).toMatchObject({
    'x-service-chat-id': chat.chat_id,
    'x-service-message-id': chat.id,
  })
  await settings.update({
    ENABLE_FORWARD_USER_INFO_HEADERS: null,
    FORWARD_USER_INFO_HEADER_USER_ID: null,
  })
})

test('a name that would stand for a sign-in or a host is refused', async () => {
  const { settings } = conversation.server.context
  for (const name of ['Authorization', 'cookie', 'Host', 'Content-Type', 'a b', '']) {
    await expect(
      () => settings.update({ FORWARD_USER_INFO_HEADER_USER_ID: name }),
      name,
    ).rejects.toThrow(/header/)
  }
})

import { expect, test } from 'vitest'
import { startConversation } from '../../testing/start-conversation.ts'
import { adaptRequest } from './adapt-request.ts'

const request = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ],
  max_tokens: 5,
  temperature: 1,
}

test.each(['o1', 'o3-mini', 'o4-mini-high', 'gpt-5', 'gpt-5.1-codex', 'GPT-5-mini', 'gpt-12'])(
  '%s gets what its family takes',
  (model) => {
    expect(adaptRequest(model, request)).toEqual({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      max_completion_tokens: 5,
      temperature: 1,
    })
  },
)

test.each(['gpt-4o', 'gpt-4.1', 'gpt-oss:20b', 'opus', 'o200k', 'olmo-2', 'cloud-o3'])(
  '%s is left alone',
  (model) => {
    expect(adaptRequest(model, request)).toBe(request)
  },
)

test('the first of them know no instructions, a limit in the new name wins, and nothing to change changes nothing', () => {
  expect(adaptRequest('o1-preview', request).messages[0]).toEqual({
    role: 'user',
    content: 'Be brief.',
  })
  expect(adaptRequest('o3', { ...request, max_completion_tokens: 9 })).toMatchObject({
    max_completion_tokens: 9,
  })
  const plain = { messages: [{ role: 'user', content: 'Hi' }] }
  expect(adaptRequest('o3', plain)).toBe(plain)
})

test('so it reaches a provider, relayed, streamed into a chat and in the other dialects', async () => {
  const conversation = await startConversation({ upstream: { models: ['o3-mini'] } })
  try {
    const { server, token, upstream } = conversation
    const sent = () => upstream.requests.at(-1)!.json!
    const taken = { max_completion_tokens: 5, messages: [{ role: 'developer' }, { role: 'user' }] }
    await (await conversation.complete({ model: 'o3-mini', ...request })).text()
    expect(sent()).toMatchObject(taken)
    expect(sent()).not.toHaveProperty('max_tokens')
    await (
      await conversation.complete({
        model: 'o3-mini',
        ...request,
        stream: true,
        params: { top_p: 0.5 },
      })
    ).text()
    expect(sent()).toMatchObject(taken)
    const chat = await conversation.createChat('Hi')
    await (
      await conversation.complete({
        model: 'o3-mini',
        ...request,
        chat_id: chat.chat_id,
        id: chat.id,
      })
    ).text()
    expect(sent()).toMatchObject({ max_completion_tokens: 5 })
    const body = {
      model: 'o3-mini',
      max_tokens: 5,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hi' }],
    }
    await (await server.call('POST', '/api/v1/messages', { token, body })).text()
    expect(sent()).toMatchObject(taken)
  } finally {
    await conversation.close()
  }
})

import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
let client: OpenAI
beforeAll(async () => {
  conversation = await startConversation({ environment: { ENABLE_API_KEYS: 'true' } })
  const response = await conversation.server.call('POST', '/api/v1/auths/api_key', {
    token: conversation.token,
  })
  const { api_key: apiKey } = (await response.json()) as { api_key: string }
  client = new OpenAI({ baseURL: `${conversation.server.url}/api`, apiKey, maxRetries: 0 })
})
afterAll(() => conversation.close())

const messages = [{ role: 'user' as const, content: 'Hello' }]

test('The official SDK lists the models', async () => {
  const ids = []
  for await (const model of client.models.list()) ids.push(model.id)
  expect(ids).toContain('text')
})

test('It gets a whole answer', async () => {
  const completion = await client.chat.completions.create({ model: 'text', messages })
  expect(completion.choices[0]!.message.content).toContain('Hello from the scripted model.')
  expect(completion.usage?.total_tokens).toBe(18)
})

test('It gets a stream, and its collected answer equals the whole one', async () => {
  const whole = await client.chat.completions.create({ model: 'text', messages })
  const collected = await client.chat.completions.stream({ model: 'text', messages }).finalContent()
  expect(collected).toBe(whole.choices[0]!.message.content)
})

test('It gets tool calls in both forms', async () => {
  const request = {
    model: 'tools',
    messages,
    tools: [
      {
        type: 'function' as const,
        function: { name: 'get_weather', parameters: { type: 'object', properties: {} } },
      },
    ],
  }
  const whole = await client.chat.completions.create(request)
  const streamed = await client.chat.completions.stream(request).finalChatCompletion()
  for (const { choices } of [whole, streamed]) {
    expect(choices[0]!.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'get_weather', arguments: '{"city":"Örebro","days":2}' },
    })
    expect(choices[0]!.finish_reason).toBe('tool_calls')
  }
})

test('It stores an answer in a chat when it names chat and message', async () => {
  const chat = await conversation.createChat('Hello')
  const owned = {
    model: 'text',
    messages,
    stream: true as const,
    chat_id: chat.chat_id,
    id: chat.id,
  }
  let text = ''
  for await (const chunk of await client.chat.completions.create(owned))
    text += chunk.choices[0]?.delta.content ?? ''
  expect(await conversation.readMessage(chat)).toMatchObject({ content: text, done: true })
})

test('Its abort cancels the upstream', async () => {
  const aborts = conversation.upstream.aborts()
  const stream = await client.chat.completions.create({ model: 'slow', messages, stream: true })
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) stream.controller.abort()
  }
  await expect.poll(() => conversation.upstream.aborts()).toBe(aborts + 1)
})

test('Its errors show the sentence of the gateway', async () => {
  await expect(
    client.chat.completions.create({ model: 'nothing', messages }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('Model not found') as string,
  })
  await expect(
    new OpenAI({ baseURL: client.baseURL, apiKey: 'sk-wrong' }).models.list(),
  ).rejects.toMatchObject({ status: 401 })
  await expect(
    client.chat.completions.stream({ model: 'cut', messages }).finalContent(),
  ).rejects.toBeInstanceOf(OpenAI.APIError)
})

import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'

let conversation: Conversation
let client: Anthropic
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ENABLE_API_KEYS: 'true', CUSTOM_API_KEY_HEADER: 'X-Gateway-Key' },
  })
  const response = await conversation.server.call('POST', '/api/v1/auths/api_key', {
    token: conversation.token,
  })
  const { api_key: apiKey } = (await response.json()) as { api_key: string }
  client = new Anthropic({ baseURL: `${conversation.server.url}/api`, apiKey, maxRetries: 0 })
})
afterAll(() => conversation.close())

const ask = (content: string) => ({
  model: 'text',
  max_tokens: 200,
  messages: [{ role: 'user' as const, content }],
})
const tools = [
  {
    name: 'get_weather',
    input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
  },
]

describe('The official SDK of the messages API, with x-api-key although the key header has another name', () => {
  test('gets a whole answer', async () => {
    const message = await client.messages.create(ask('Hello'))
    expect(message.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Hello from the scripted model.'),
    })
    expect(message.usage).toMatchObject({ input_tokens: 11, output_tokens: 7 })
    expect(message._request_id).toEqual(expect.any(String))
  })

  test('collects a stream to the same answer', async () => {
    const whole = await client.messages.create(ask('Hello'))
    const streamed = await client.messages.stream(ask('Hello')).finalMessage()
    expect(streamed.content).toMatchObject(whole.content)
    expect(streamed.stop_reason).toBe('end_turn')
    expect(streamed.usage).toMatchObject({ input_tokens: 11, output_tokens: 7 })
  })

  test('goes through a round of tools in both modes', async () => {
    const first = await client.messages.create({ ...ask('/tools'), tools })
    const streamed = await client.messages.stream({ ...ask('/tools'), tools }).finalMessage()
    expect(streamed.content).toMatchObject(first.content)
    expect(first.stop_reason).toBe('tool_use')
    const call = first.content.find((block) => block.type === 'tool_use')!
    const second = await client.messages.create({
      model: 'echo',
      max_tokens: 200,
      tools,
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: call.id, content: 'Snow' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
    })
    expect(second.content[0]).toMatchObject({ text: 'And now?' })
  })

  test('runs tools with the whole conversation, of which it would send the vendor the new part alone', async () => {
    const tool = betaTool({
      name: 'get_weather',
      description: 'Tells the weather',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      run: () => 'Snow',
    })
    const seen = conversation.upstream.requests.length
    await client.beta.messages.toolRunner({ ...ask('/tools'), tools: [tool], max_iterations: 2 })
    const asked = conversation.upstream.requests.slice(seen).map(({ json }) => json)
    expect(asked).toHaveLength(2)
    expect(asked[1]).toMatchObject({
      tools: [{ function: { name: 'get_weather' } }],
      messages: [
        { role: 'user', content: '/tools' },
        { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
      ],
    })
  })

  test('lists models with the fields it knows', async () => {
    const page = await client.models.list()
    expect(page).toMatchObject({ has_more: false, first_id: page.data[0]!.id })
    expect(page.data.find(({ id }) => id === 'text')).toMatchObject({
      type: 'model',
      display_name: 'text',
      created_at: '2023-11-14T22:13:20.000Z',
    })
    expect(await client.models.retrieve('text')).toMatchObject({ display_name: 'text' })
  })

  test('knows the id of every call, also of those that are refused at once', async () => {
    const refused = client.messages.create({ ...ask('Hello'), messages: 'none' as never })
    await expect(refused).rejects.toMatchObject({ requestID: expect.any(String) as string })
    await expect(client.models.retrieve('none')).rejects.toMatchObject({
      requestID: expect.any(String) as string,
    })
  })

  test('types errors by their status', async () => {
    const failure = async (content: string) => {
      const error: unknown = await client.messages
        .create(ask(content))
        .catch((thrown: unknown) => thrown)
      return error
    }
    expect(await failure('/error 400')).toBeInstanceOf(Anthropic.BadRequestError)
    expect(await failure('/busy 9')).toBeInstanceOf(Anthropic.RateLimitError)
    expect(await failure('/error 500')).toBeInstanceOf(Anthropic.InternalServerError)
    const stranger = new Anthropic({
      baseURL: `${conversation.server.url}/api`,
      apiKey: 'sk-wrong',
      maxRetries: 0,
    })
    await expect(stranger.messages.create(ask('Hello'))).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    )
    const mistaken = client.messages.create({ ...ask('Hello'), model: 'no-such-model' })
    await expect(mistaken).rejects.toThrow('Model not found')
    await expect(client.messages.create({ ...ask('Hello'), max_tokens: 0 })).rejects.toThrow(
      'at least 1',
    )
  })

  test('hears of an upstream that breaks in mid-stream', async () => {
    await expect(client.messages.stream(ask('/cut')).finalMessage()).rejects.toThrow(
      /was interrupted/,
    )
  })

  test('cancels the upstream by its abort', async () => {
    const aborts = conversation.upstream.aborts()
    const stream = client.messages.stream(ask('/slow'))
    stream.on('text', () => stream.abort())
    await stream.done().catch(() => null)
    await expect.poll(() => conversation.upstream.aborts()).toBe(aborts + 1)
  })

  test('counts tokens', async () => {
    const { messages } = ask('Hello')
    expect(await client.messages.countTokens({ model: 'text', messages })).toEqual({
      input_tokens: 6,
    })
  })
})

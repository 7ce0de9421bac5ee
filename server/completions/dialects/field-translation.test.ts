import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toMessagesRequest } from '../../providers/messages/convert-request.ts'
import { toRuntimeRequest } from '../../providers/runtime/convert-request.ts'
import type { AnyShape } from '../../testing/any-shape.ts'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const strict: Script = async ({ body }) => {
  const unknown = ['top_k', 'prompt_cache_key'].filter((name) => name in body)
  if (body['model'] === 'tools' && unknown.length > 0) {
    return {
      status: 400,
      body: JSON.stringify({
        error: { message: `Unrecognized request argument supplied: ${unknown.join(', ')}` },
      }),
    }
  }
  return { steps: [{ kind: 'content', text: 'Done.' }] }
}
let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({ upstream: { script: strict } })
})
afterAll(() => conversation.close())
const post = (path: string, body: object) =>
  conversation.server.call('POST', path, { token: conversation.token, body })
const sent = () => conversation.upstream.requests.at(-1)!.json! as Record<string, AnyShape>

const messages = [{ role: 'user', content: 'Hi' }]
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object' }, strict: true },
})
const tools = [tool('one'), tool('two')]
const names = (list: unknown) =>
  (list as { function: { name: string } }[] | undefined)?.map(({ function: { name } }) => name)

describe('The local runtime', () => {
  const convert = (more: object) =>
    toRuntimeRequest({ messages, ...more }, 'm') as Record<string, AnyShape>
  test('is offered the tools the caller chose', () => {
    expect(convert({ tools, tool_choice: 'none' })['tools']).toBeUndefined()
    expect(names(convert({ tools, tool_choice: 'required' })['tools'])).toEqual(['one', 'two'])
    expect(
      names(
        convert({ tools, tool_choice: { type: 'function', function: { name: 'two' } } })['tools'],
      ),
    ).toEqual(['two'])
  })
  test('is asked in its own words', () => {
    expect(convert({ repetition_penalty: 1.2 })['options']).toEqual({ repeat_penalty: 1.2 })
    expect(convert({ reasoning_effort: 'xhigh' })['think']).toBe('high')
  })
  test('knows functions of the format before tools', () => {
    const call = {
      role: 'assistant',
      content: null,
      function_call: { name: 'one', arguments: '{}' },
    }
    const result = { role: 'function', name: 'one', content: 'Snow' }
    const body = convert({
      messages: [...messages, call, result],
      functions: [tool('one').function],
      function_call: { name: 'one' },
    })
    expect(names(body['tools'])).toEqual(['one'])
    expect(body['messages'].slice(1)).toMatchObject([
      { tool_calls: [{ function: { name: 'one' } }] },
      { role: 'tool', tool_name: 'one', content: 'Snow' },
    ])
  })
})

describe('A provider of the messages API', () => {
  const convert = (more: object) =>
    toMessagesRequest({ messages, ...more }, 'm', false) as Record<string, AnyShape>
  test('is told of tools, who asks and how fast', () => {
    expect(convert({ tools, tool_choice: 'none' })).toMatchObject({
      tool_choice: { type: 'none' },
      tools: [{ strict: true }, {}],
    })
    expect(convert({ user: 'ada', service_tier: 'default' })).toMatchObject({
      metadata: { user_id: 'ada' },
      service_tier: 'standard_only',
    })
    expect(convert({ safety_identifier: 'a1' })).toMatchObject({ metadata: { user_id: 'a1' } })
  })
  test('keeps marks of its cache', () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    const body = convert({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...mark }] }],
      tools: [{ ...tool('one'), ...mark }],
    })
    expect(body).toMatchObject({ messages: [{ content: [mark] }], tools: [mark] })
  })
})

test.each([
  { n: 2 },
  { modalities: ['text', 'audio'] },
  { tools: [{ type: 'custom', custom: { name: 'x' } }] },
])('What would give another answer is refused by its name: %j', (more) => {
  const name = Object.keys(more)[0]!
  expect(() => toRuntimeRequest({ messages, ...more }, 'm')).toThrow(`"${name}"`)
  expect(() => toMessagesRequest({ messages, ...more }, 'm', true)).toThrow(`"${name}"`)
})

describe('The messages dialect', () => {
  test('tells a provider of chat completions who asks, how fast and how freely', async () => {
    const body = {
      model: 'echo',
      max_tokens: 9,
      messages,
      top_k: 5,
      service_tier: 'standard_only',
      metadata: { user_id: 'u'.repeat(100) },
    }
    await post('/api/v1/messages', {
      ...body,
      tools: [{ name: 'one', input_schema: { type: 'object' }, strict: true }],
    })
    expect(sent()).toMatchObject({
      top_k: 5,
      service_tier: 'default',
      user: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(sent()['tools'][0].function.strict).toBe(true)
  })
})

test.each([true, false])(
  'A field the provider does not know is left out the second time (stream %j)',
  async (stream) => {
    const asked = () =>
      conversation.upstream.requests.filter(({ path }) => path === '/v1/chat/completions').length
    const before = asked()
    const response = await post('/openai/responses', {
      model: 'tools',
      input: 'Hi',
      prompt_cache_key: 'k',
      user: 'ada',
      stream,
    })
    expect(response.status).toBe(200)
    await response.text()
    expect(asked()).toBe(before + 2)
    expect(sent()).not.toHaveProperty('prompt_cache_key')
    expect(sent()).toMatchObject({ user: 'ada' })
  },
)

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import OpenAI from 'openai'
import { startFakeMessages } from '../../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../testing/fake-upstream/fake-server.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../testing/start-extended-conversation.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'

let conversation: Conversation
let upstreams: readonly FakeUpstream[]
let client: OpenAI
beforeAll(async () => {
  const runtime = await startFakeRuntime()
  const native = await startFakeMessages()
  upstreams = [runtime, native]
  conversation = await startConversation()
  const { server, token } = conversation
  for (const body of [
    { kind: 'runtime', name: 'Home', url: runtime.url, prefix_id: 'home' },
    { kind: 'messages', name: 'Native', url: native.url, key: 'k', prefix_id: 'native' },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
  client = new OpenAI({ baseURL: `${server.url}/api`, apiKey: token, maxRetries: 0 })
})
afterAll(async () => {
  await conversation.close()
  for (const upstream of upstreams) await upstream.close()
})

const get_weather = { name: 'get_weather', parameters: { type: 'object', properties: {} } }
const asked = {
  messages: [{ role: 'user', content: '/tools' }],
  functions: [get_weather],
} satisfies Partial<OpenAI.ChatCompletionCreateParams>
const called = { name: 'get_weather', arguments: '{"city":"Örebro","days":2}' }

describe.each(['home.text', 'native.text'])('A caller of %s that declares functions', (model) => {
  test('reads the call in the same form from a whole answer', async () => {
    const { choices } = await client.chat.completions.create({ model, ...asked })
    expect(choices[0]!.message).toEqual({ role: 'assistant', content: null, function_call: called })
    expect(choices[0]!.finish_reason).toBe('function_call')
  })

  test('reads the call in the same form from a stream', async () => {
    const stream = await client.chat.completions.create({ model, ...asked, stream: true })
    const deltas: OpenAI.ChatCompletionChunk.Choice.Delta[] = []
    const endings: string[] = []
    for await (const { choices } of stream) {
      for (const { delta, finish_reason: reason } of choices) {
        deltas.push(delta)
        if (reason) endings.push(reason)
      }
    }
    expect(deltas.flatMap(({ function_call: call }) => call?.name ?? [])).toEqual([called.name])
    const pieces = deltas.map(({ function_call: call }) => call?.arguments ?? '')
    expect(pieces.join('')).toBe(called.arguments)
    expect(deltas.filter((delta) => 'tool_calls' in delta)).toEqual([])
    expect(endings).toEqual(['function_call'])
  })

  test('reads it from an answer that is kept in a chat too', async () => {
    const place = { parent_id: null, user_message: { id: crypto.randomUUID(), content: '/tools' } }
    const body = { model, ...asked, ...place, stream: false }
    const reply = await conversation.complete(body)
    expect(await reply.json()).toMatchObject({
      chat_id: expect.any(String),
      choices: [{ message: { function_call: called }, finish_reason: 'function_call' }],
    })
  })

  test('reads calls of tools as such once it declares tools', async () => {
    const tools = [{ type: 'function' as const, function: get_weather }]
    const { choices } = await client.chat.completions.create({ model, ...asked, tools })
    expect(choices[0]!.message.tool_calls).toHaveLength(1)
    expect(choices[0]!.finish_reason).toBe('tool_calls')
  })
})

describe('Functions of a caller that also names tools of the gateway', () => {
  let behind: ExtendedConversation
  const ran: string[] = []
  const belt: ToolBelt = {
    specs: [{ name: 'clock', description: 'Tells the time.', parameters: { type: 'object' } }],
    originOf: (name) => `clock/${name}`,
    isParallel: () => true,
    call: async ({ name }) => {
      ran.push(name)
      return { text: 'noon' }
    },
  }
  beforeAll(async () => {
    behind = await startExtendedConversation(() => ({ tools: () => belt }))
    const [runtime, native] = upstreams.map(({ url }) => url)
    for (const body of [
      { kind: 'runtime', name: 'Home', url: runtime, prefix_id: 'home' },
      { kind: 'messages', name: 'Native', url: native, key: 'k', prefix_id: 'native' },
    ])
      await behind.server.call('POST', '/api/v1/connections', { token: behind.token, body })
    await behind.server.call('GET', '/api/models?refresh=true', { token: behind.token })
  })
  afterAll(() => behind.close())

  const nameOf = (tool: Record<string, unknown>): unknown =>
    tool['name'] ?? (tool['function'] as Record<string, unknown>)['name']

  const reaching = async (model: string, upstream: FakeUpstream) => {
    const reply = await behind.complete({ model, ...asked, tool_ids: ['clock'] })
    const sent = upstream.requests.at(-1)!.json as Record<string, Record<string, unknown>[]>
    return { answer: (await reply.json()) as object, sent }
  }

  test.each(['home.tools', 'native.tools'])(
    'reach %s alone, and the caller runs them',
    async (model) => {
      const { answer, sent } = await reaching(model, upstreams[model === 'home.tools' ? 0 : 1]!)
      expect(answer).toMatchObject({
        choices: [{ message: { function_call: called }, finish_reason: 'function_call' }],
      })
      expect(sent['tools']!.map(nameOf)).toEqual(['get_weather'])
      expect(ran).toEqual([])
    },
  )

  test('reach a provider of the same format as they came', async () => {
    const { sent } = await reaching('tools', behind.upstream)
    expect(sent['functions']).toEqual(asked.functions)
    expect(sent).not.toHaveProperty('tools')
    expect(ran).toEqual([])
  })
})

describe('A provider that itself answers with function_call', () => {
  const toRaw = (choice: object) =>
    ({
      kind: 'raw',
      bytes: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`,
    }) as const
  const steps = [
    toRaw({ delta: { role: 'assistant', function_call: { name: 'get_weather', arguments: '' } } }),
    toRaw({ delta: { function_call: { arguments: called.arguments } } }),
    toRaw({ delta: {}, finish_reason: 'function_call' }),
    { kind: 'raw', bytes: 'data: [DONE]\n\n' } as const,
  ]

  test.each([false, true])('has its call read behind filters (stream: %s)', async (stream) => {
    const behind = await startExtendedConversation(
      () => ({ filters: () => ({ inlets: [], stream: [async (chunk) => chunk] }) }),
      { upstream: { script: () => ({ steps }) } },
    )
    try {
      const reply = await behind.complete({ model: 'text', ...asked, stream })
      const text = await reply.text()
      expect(text).toContain('"function_call":{"name":"get_weather"')
      expect(text).toContain('"finish_reason":"function_call"')
      expect(text).toContain(JSON.stringify(called.arguments))
      expect(text).not.toContain('tool_calls')
    } finally {
      await behind.close()
    }
  })
})

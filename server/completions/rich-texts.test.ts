import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeMessages } from '../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
let upstreams: FakeUpstream[]
beforeAll(async () => {
  const [runtime, messages] = [await startFakeRuntime(), await startFakeMessages()]
  upstreams = [runtime, messages]
  conversation = await startConversation()
  const { server, token } = conversation
  for (const body of [
    { kind: 'runtime', name: 'Home', url: runtime.url, prefix_id: 'home' },
    { kind: 'messages', name: 'Native', url: messages.url, prefix_id: 'native' },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  for (const upstream of upstreams) await upstream.close()
})

const WIDE = `[${'{},'.repeat(60_000)}0]`
const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`
const PLAIN = JSON.stringify({ text: 'a, {b}, "c"\n'.repeat(50_000) })
const question = { role: 'user', content: 'Hello' }

const withCall = (text: string) => ({
  messages: [
    question,
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'write', arguments: text } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'Done.' },
  ],
})
const withParameter = (text: string) => ({
  messages: [question],
  params: { custom_params: { extra: text } },
})
const withItem = (text: string) => ({
  input: [
    question,
    { type: 'function_call', call_id: 'a', name: 'write', arguments: text },
    { type: 'function_call_output', call_id: 'a', output: 'Done.' },
  ],
})
const withReasoning = (text: string) => ({
  input: [
    question,
    { type: 'reasoning', summary: [], encrypted_content: Buffer.from(text).toString('base64') },
    question,
  ],
})

describe.each([
  ['the arguments of a call, for the runtime', '/api/chat/completions', 'home.text', withCall],
  ['the arguments of a call, for messages', '/api/chat/completions', 'native.text', withCall],
  ['the arguments of an item', '/api/v1/responses', 'home.text', withItem],
  ['kept reasoning', '/api/v1/responses', 'text', withReasoning],
  ['a parameter', '/api/chat/completions', 'text', withParameter],
] as const)('JSON as text in %s', (_, path, model, write) => {
  const ask = async (text: string) => {
    const { server, token } = conversation
    const reply = await server.call('POST', path, { token, body: { model, ...write(text) } })
    return { status: reply.status, text: await reply.text() }
  }

  test('is refused with a sentence where parsing it would hold everybody up', async () => {
    for (const text of [WIDE, DEEP]) {
      const { status, text: answer } = await ask(text)
      expect([status, answer]).toEqual([
        413,
        expect.stringMatching(
          /100000 values, and 200 levels.*JSON_TEXT_MAX_VALUES or JSON_TEXT_MAX_DEPTH/,
        ),
      ])
    }
  })

  test('is taken however long its texts are', async () => {
    expect((await ask(PLAIN)).status).toBe(200)
  })
})

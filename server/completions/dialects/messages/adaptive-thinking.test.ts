import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { startFakeMessages } from '../../../testing/fake-upstream/fake-messages.ts'
import type { FakeUpstream } from '../../../testing/fake-upstream/fake-server.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../../testing/start-extended-conversation.ts'

let conversation: ExtendedConversation
let native: FakeUpstream
beforeAll(async () => {
  native = await startFakeMessages({ key: 'native-key' })
  // A filter that changes the request, so that it is converted to the internal format and
  // translated back for the provider.
  const inlet = (body: ChatCompletionRequest): ChatCompletionRequest => ({ ...body })
  conversation = await startExtendedConversation(() => ({
    filters: () => ({ inlets: [inlet], stream: [] }),
  }))
  const { server, token } = conversation
  const connection = {
    kind: 'messages',
    name: 'Native',
    url: native.url,
    key: 'native-key',
    prefix_id: 'native',
  }
  await server.call('POST', '/api/v1/connections', { token, body: connection })
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  await native.close()
})

const sent = { model: 'native.text', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const thinking = { type: 'adaptive', display: 'summarized' }
const reaching = async (path: string, body: object) => {
  const reply = await conversation.call(path, body)
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
  return native.requests.at(-1)!.json as Record<string, unknown>
}

test('thinking that is left to the model comes through filters, with an effort and without', async () => {
  const alone = await reaching('/api/v1/messages', { ...sent, thinking })
  expect([alone['thinking'], alone['output_config'], alone['max_tokens']]).toEqual([
    thinking,
    undefined,
    9,
  ])
  const eager = await reaching('/api/v1/messages', {
    ...sent,
    thinking,
    output_config: { effort: 'max' },
  })
  expect([eager['thinking'], eager['output_config']]).toEqual([thinking, { effort: 'max' }])
  const schema = { type: 'object', properties: {} }
  const formed = {
    ...sent,
    thinking,
    output_config: { effort: 'low', format: { type: 'json_schema', schema } },
  }
  expect((await reaching('/api/v1/messages', formed))['output_config']).toEqual({
    effort: 'low',
    format: { type: 'json_schema', schema },
  })
})

test('a budget in a request for a chat completion reaches the provider as it came', async () => {
  const chosen = { type: 'enabled', budget_tokens: 1500 }
  const body = { ...sent, max_tokens: 2000, thinking: chosen }
  const received = await reaching('/api/chat/completions', body)
  expect([received['thinking'], received['max_tokens']]).toEqual([chosen, 2000])
})

test('thoughts of earlier rounds go with it', async () => {
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sealed' }
  const call = { type: 'tool_use', id: 't1', name: 'look', input: {} }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'Seen' }
  const rounds = [
    ...sent.messages,
    { role: 'assistant', content: [thought, call] },
    { role: 'user', content: [result] },
  ]
  const tools = [{ name: 'look', input_schema: { type: 'object', properties: {} } }]
  const body = await reaching('/api/v1/messages', { ...sent, thinking, tools, messages: rounds })
  expect(body['thinking']).toEqual(thinking)
  expect((body['messages'] as { content: unknown[] }[])[1]!.content).toEqual([thought, call])
})

test('a call without it is sent without it, and other providers are told nothing of it', async () => {
  expect(await reaching('/api/v1/messages', sent)).not.toHaveProperty('thinking')
  await (await conversation.call('/api/v1/messages', { ...sent, model: 'text', thinking })).text()
  expect(conversation.upstream.requests.at(-1)!.json).not.toHaveProperty('thinking')
})

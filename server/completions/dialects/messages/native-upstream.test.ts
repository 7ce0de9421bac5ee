import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeMessages } from '../../../testing/fake-upstream/fake-messages.ts'
import type { FakeUpstream } from '../../../testing/fake-upstream/fake-server.ts'
import { playScenario, SCENARIO_NAMES } from '../../../testing/fake-upstream/scenarios.ts'
import { lastUserText } from '../../../testing/fake-upstream/script.ts'
import { readMessageEvents } from '../../../testing/read-message-events.ts'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'

const LOST = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'There is no such thread.',
      details: { error_code: 'thread_not_found', secret: { key: 'sk-1' }, text: 'A sentence.' },
    },
  }),
}

let conversation: Conversation
let native: FakeUpstream
beforeAll(async () => {
  conversation = await startConversation()
  native = await startFakeMessages({
    key: 'native-key',
    models: SCENARIO_NAMES,
    script: (input) => (lastUserText(input) === '/lost' ? LOST : playScenario(input)),
  })
  const connection = {
    kind: 'messages',
    name: 'Native',
    url: native.url,
    key: 'native-key',
    prefix_id: 'native',
  }
  const { server, token } = conversation
  await server.call('POST', '/api/v1/connections', { token, body: connection })
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  await native.close()
})

const post = (body: unknown, path = '/api/v1/messages', headers: Record<string, string> = {}) =>
  conversation.server.call('POST', path, { token: conversation.token, body, headers })

describe('A messages-native upstream', () => {
  const nativeAsk = (content: unknown, more: Record<string, unknown> = {}) => ({
    model: 'native.echo',
    max_tokens: 100,
    messages: [{ role: 'user', content }],
    ...more,
  })

  test('gets the request as it came but for the model, and its answer comes back as it is', async () => {
    const body = nativeAsk('two words', { top_k: 5, metadata: { user_id: 'u' } })
    const response = await post(body, '/api/v1/messages', {
      'anthropic-beta': 'a-feature',
      cookie: 'a=b',
    })
    expect(await response.json()).toMatchObject({
      id: 'msg_fake',
      content: [{ type: 'text', text: 'two words' }],
    })
    const seen = native.requests.at(-1)!
    expect(seen.json).toEqual({ ...body, model: 'echo' })
    expect(seen.headers).toMatchObject({
      'x-api-key': 'native-key',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a-feature',
    })
    expect(seen.headers.cookie).toBeUndefined()
    expect(seen.headers.authorization).toBeUndefined()
  })

  test('has its stream passed on byte for byte', async () => {
    const body = nativeAsk('one two  three', { stream: true })
    const passed = await (await post(body)).text()
    const direct = await fetch(`${native.url}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-api-key': 'native-key' },
      body: JSON.stringify({ ...body, model: 'echo' }),
    })
    expect(passed).toBe(await direct.text())
  })

  test('row R15: a stream that is cut ends with an error event', async () => {
    const events = await readMessageEvents(await post(nativeAsk('/cut', { stream: true })))
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
  })

  test('has its faults told in both shapes', async () => {
    const response = await post(nativeAsk('/busy 8'))
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('8')
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error' },
    })
  })

  test('keeps threads and fills its cache, and its SDK learns why a thread cannot be continued', async () => {
    const body = nativeAsk('two words', { thread: { type: 'create' }, max_tokens: 0 })
    expect((await post(body)).status).toBe(200)
    expect(native.requests.at(-1)!.json).toEqual({ ...body, model: 'echo' })
    const thread = { type: 'continue', previous_message_id: 'msg_1' }
    const response = await post(nativeAsk('/lost', { thread }))
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: 'thread_not_found' } },
    })
  })

  test('counts tokens itself', async () => {
    const response = await post(
      { model: 'native.echo', messages: [{ role: 'user', content: 'x' }] },
      '/api/v1/messages/count_tokens',
    )
    expect(await response.json()).toEqual({ input_tokens: 42 })
  })

  test('says since when its models are there, and how much they read', async () => {
    const { server, token } = conversation
    const listed = await server.call('GET', '/api/models/native.echo', { token })
    expect(await listed.json()).toMatchObject({ created: Date.UTC(2026, 1, 4) / 1000 })
    const info = await server.call('GET', '/api/v1/models/model?id=native.echo', { token })
    expect(await info.json()).toMatchObject({ meta: { context_length: 200_000 } })
  })

  test('answers chat completions too', async () => {
    const messages = [
      { role: 'system', content: 'Brief.' },
      { role: 'user', content: 'two words' },
    ]
    const response = await conversation.complete({ model: 'native.echo', messages })
    expect(await response.json()).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/) as string,
      choices: [{ message: { content: 'two words' }, finish_reason: 'stop' }],
    })
    expect(native.requests.at(-1)!.json).toMatchObject({
      system: [{ type: 'text', text: 'Brief.' }],
      max_tokens: 8192,
    })
  })
})

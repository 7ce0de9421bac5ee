import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestDetailSchema, type RequestDetail } from '#contract/requests.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import { startFakeMessages } from '../testing/fake-upstream/fake-messages.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { playScenario } from '../testing/fake-upstream/scenarios.ts'
import type { Script } from '../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let busy = 0
const script: Script = async (input) => {
  const unknown = ['prompt_cache_key'].filter((name) => name in input.body)
  if (unknown.length > 0)
    return {
      status: 400,
      body: JSON.stringify({ error: { message: `Unknown parameter: ${unknown.join()}` } }),
    }
  if (busy > 0) {
    busy -= 1
    return { status: 503, body: '{}' }
  }
  return playScenario(input)
}

let conversation: Conversation
let runtime: FakeUpstream
let native: FakeUpstream
beforeAll(async () => {
  runtime = await startFakeRuntime()
  native = await startFakeMessages()
  conversation = await startConversation({
    upstream: { script },
    environment: { ENABLE_REQUEST_LOG_BODIES: 'true' },
  })
  const { server, token } = conversation
  const body = { kind: 'runtime', name: 'Home', url: runtime.url, prefix_id: 'home' }
  await server.call('POST', '/api/v1/connections', { token, body })
  const remote = {
    kind: 'messages',
    name: 'Native',
    url: native.url,
    key: 'native-key-000',
    prefix_id: 'native',
  }
  await server.call('POST', '/api/v1/connections', { token, body: remote })
  await server.call('GET', '/api/models?refresh=true', { token })
})
afterAll(async () => {
  await conversation.close()
  await runtime.close()
  await native.close()
})

async function detailOf(reply: Response): Promise<RequestDetail> {
  await reply.text()
  const read = () =>
    conversation.server.call('GET', `/api/v1/requests/${reply.headers.get('x-request-id')}`, {
      token: conversation.token,
    })
  await expect.poll(async () => (await read()).status).toBe(200)
  return requestDetailSchema.parse(await (await read()).json())
}
const post = (path: string, body: object) =>
  conversation.server.call('POST', path, { token: conversation.token, body })
const messages = [{ role: 'user', content: 'Hi' }]
const bodies = ({ attempts }: RequestDetail) =>
  attempts.map(({ request_body: body }) =>
    body === null ? null : (JSON.parse(body) as Record<string, unknown>),
  )

describe('The log of a call says', () => {
  it('what was sent beside what came in', async () => {
    const detail = await detailOf(
      await conversation.complete({
        model: 'home.text',
        messages,
        logit_bias: { 5: 1 },
        temperature: 0.5,
        user: 'ada',
      }),
    )
    expect(JSON.parse(detail.request_body!)).toMatchObject({ logit_bias: { 5: 1 }, user: 'ada' })
    expect(detail.attempts).toMatchObject([
      { connection: 'Home', path: '/api/chat', status: 200, error: null },
    ])
    expect(bodies(detail)).toEqual([
      { model: 'text', messages, stream: true, options: { temperature: 0.5 } },
    ])
    expect(detail.translated_fields).toEqual(['temperature'])
    expect(detail.ignored_fields).toEqual([
      { field: 'logit_bias', reason: 'no_counterpart' },
      { field: 'user', reason: 'no_accounts' },
    ])
  })

  it.each([true, false])('each try, a repeated body once (stream %j)', async (stream) => {
    busy = 1
    const detail = await detailOf(await conversation.complete({ model: 'text', messages, stream }))
    expect(detail.attempts).toMatchObject([
      { path: '/chat/completions', status: 503, error: 'upstream_unavailable' },
      { path: '/chat/completions', status: 200, error: null, request_body: null },
    ])
    expect(bodies(detail)[0]).toMatchObject({ model: 'text' })
  })

  it('what a provider refused and was left out the second time', async () => {
    // From now on the provider is known not to support the format itself.
    await post('/openai/responses', { model: 'text', input: 'Hi' })
    const detail = await detailOf(
      await post('/openai/responses', {
        model: 'text',
        input: 'Hi',
        prompt_cache_key: 'k',
        max_output_tokens: 9,
      }),
    )
    expect(detail.attempts.map(({ status }) => status)).toEqual([400, 200])
    expect(bodies(detail).map((body) => body!['prompt_cache_key'])).toEqual(['k', undefined])
    expect(detail.translated_fields).toEqual(['max_output_tokens'])
    expect(detail.ignored_fields).toEqual([
      { field: 'prompt_cache_key', reason: 'refused_by_provider' },
    ])
  })

  it('what no answer came to, without the address and key of the connection', async () => {
    const gone = await startFakeCompatible({ models: ['m'] })
    const body = {
      kind: 'compatible',
      name: 'Gone',
      url: gone.url,
      key: 'sk-gone-0123456789',
      prefix_id: 'gone',
    }
    await post('/api/v1/connections', body)
    await conversation.server.call('GET', '/api/models?refresh=true', { token: conversation.token })
    await gone.close()
    const detail = await detailOf(
      await conversation.complete({ model: 'gone.m', messages, api_key: 'sk-mine-0123456789' }),
    )
    const tried = {
      connection: 'Gone',
      path: '/chat/completions',
      status: null,
      error: 'upstream_refused_connection',
    }
    expect(detail.attempts).toMatchObject([tried, tried])
    const shown = JSON.stringify(detail.attempts)
    for (const secret of ['127.0.0.1', 'sk-gone', 'sk-mine']) expect(shown).not.toContain(secret)
  })

  it('what became of a call that goes on as it came, and of one that is translated on its way there', async () => {
    const asked = { model: 'native.text', max_tokens: 9, messages, top_k: 3, speed: 'fast' }
    const relayed = await detailOf(await post('/api/v1/messages', asked))
    expect(relayed).toMatchObject({
      translated_fields: [],
      ignored_fields: [],
      attempts: [{ connection: 'Native', status: 200 }],
    })
    expect(bodies(relayed)).toEqual([{ ...asked, model: 'text' }])
    const translated = await detailOf(await post('/api/v1/messages', { ...asked, model: 'text' }))
    expect(translated.translated_fields).toEqual(['max_tokens'])
    expect(translated.ignored_fields).toEqual([{ field: 'speed', reason: 'vendor_only' }])
  })

  it('what models were asked for an answer that nobody waits for, when it comes', async () => {
    const socket = await conversation.openSocket()
    const chat = await conversation.createChat('Hi')
    const reply = await conversation.complete({
      model: 'text',
      messages,
      chat_id: chat.chat_id,
      id: chat.id,
      session_id: socket.sessionId,
    })
    const id = reply.headers.get('x-request-id')!
    await conversation.finished(chat)
    const detail = requestDetailSchema.parse(
      await (
        await conversation.server.call('GET', `/api/v1/requests/${id}`, {
          token: conversation.token,
        })
      ).json(),
    )
    expect(bodies(detail)).toMatchObject([{ model: 'text', stream: true }])
  })

  it('what no caller may choose, whichever way the call goes', async () => {
    const chosen = {
      api_key: 'mine',
      base_url: 'https://example.com',
      extra_body: {},
      MODEL: 'other',
    }
    const decided = Object.keys(chosen).map((field) => ({ field, reason: 'gateway_decides' }))
    const calls: [string, object][] = [
      ['/api/chat/completions', { model: 'text', messages }],
      ['/openai/chat/completions', { model: 'text', messages }],
      ['/v1/completions', { model: 'text', prompt: 'Hi' }],
      ['/api/v1/messages', { model: 'native.text', max_tokens: 9, messages }],
    ]
    for (const [path, body] of calls) {
      const detail = await detailOf(await post(path, { ...body, ...chosen }))
      expect([path, detail.ignored_fields]).toEqual([path, decided])
      expect(bodies(detail)[0]).not.toHaveProperty('base_url')
    }
  })

  it('nothing of bodies while those are not kept', async () => {
    const { settings } = conversation.server.context
    await settings.update({ ENABLE_REQUEST_LOG_BODIES: false })
    const detail = await detailOf(
      await conversation.complete({ model: 'home.text', messages, seed: 1 }),
    )
    expect(detail).toMatchObject({
      translated_fields: ['seed'],
      attempts: [{ status: 200, request_body: null }],
    })
    await settings.update({ ENABLE_REQUEST_LOG_BODIES: true })
  })

  it('no more than fits, whatever a call is made of', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, place) => [`${'x'.repeat(300)}${place}`, 1]),
    )
    const detail = await detailOf(
      await conversation.complete({
        model: 'home.text',
        messages,
        ...many,
        secret: 'sk-0123456789abcdef',
      }),
    )
    expect(detail.ignored_fields.length).toBeLessThanOrEqual(200)
    expect(
      detail.ignored_fields.every(
        ({ field, reason }) => field.length <= 100 && reason === 'unknown',
      ),
    ).toBe(true)
  })
})

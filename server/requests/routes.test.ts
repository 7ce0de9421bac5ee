import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  requestDetailSchema,
  requestRecordSchema,
  type RequestDetail,
  type RequestRecord,
} from '#contract/requests.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const ROOT = '/api/v1/requests'
const ask = (content: string, more: object = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content }],
  ...more,
})

let conversation: Conversation
beforeEach(async () => {
  conversation = await startConversation()
})
afterEach(() => conversation.close())

const call = (
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
) => conversation.server.call(method, path, { token: conversation.token, ...options })
const set = (values: object) => call('POST', '/api/v1/settings', { body: { values } })
const page = async (query = '') =>
  (await (await call('GET', `${ROOT}${query}`)).json()) as { items: RequestRecord[]; total: number }
const get = async (id: string): Promise<RequestDetail> =>
  requestDetailSchema.parse(await (await call('GET', `${ROOT}/${id}`)).json())
/** A call is recorded once its reply has been sent, which may be after the client received it. */
async function newest(query = ''): Promise<RequestRecord> {
  await expect
    .poll(async () => (await page(query)).items.length, { timeout: 5000 })
    .toBeGreaterThan(0)
  return requestRecordSchema.parse((await page(query)).items[0])
}

describe('the request log', () => {
  it('keeps no bodies with keys of providers, under any name', async () => {
    await set({ ENABLE_REQUEST_LOG_BODIES: true })
    for (const path of ['/openai/config/update', '/openai/verify', '/llmhost/config/update']) {
      const secrets = {
        OPENAI_API_KEYS: ['planted-secret'],
        key: 'planted-secret',
        LLMHOST_API_CONFIGS: { 0: { key: 'planted-secret' } },
      }
      await (await call('POST', path, { body: { url: 'http://127.0.0.1:1', ...secrets } })).text()
      const { id } = await newest(`?text=${path}`)
      expect(await get(id)).toMatchObject({ request_body: null, has_bodies: false })
    }
  })

  it('keeps no settings of plugins and of tool servers, whose names are up to their authors', async () => {
    await set({ ENABLE_REQUEST_LOG_BODIES: true })
    const body = { env: { DB_PASS: 'planted-secret' }, MAP_KEY: 'planted-secret' }
    for (const path of [
      '/api/v1/configs/tool_servers',
      '/api/v1/configs/tool_servers/verify',
      '/api/v1/functions/id/none/valves/update',
      '/api/v1/functions/id/none/valves/user/update',
      '/api/v1/tools/id/none/valves/update',
      '/api/v1/pipelines/none/valves/update',
      '/api/v1/functions/sync',
    ]) {
      await (await call('POST', path, { body })).text()
      const { id } = await newest(`?text=${path}`)
      expect([path, await get(id)]).toMatchObject([path, { request_body: null }])
    }
  })

  it('keeps no more bodies than fit, however many calls it is to keep', async () => {
    await set({ ENABLE_REQUEST_LOG_BODIES: true, REQUEST_LOG_SIZE: 10_000 })
    const parts = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [name, name.repeat(15_000)]),
    )
    const body = { title: 'Long', data: parts }
    for (let count = 0; count < 300; count += 1)
      await (await call('POST', '/api/v1/notes/create', { body })).text()
    const { total, items } = await page()
    expect(total).toBeGreaterThan(100)
    expect(total).toBeLessThan(300)
    expect(items[0]!.has_bodies).toBe(true)
    await call('DELETE', ROOT)
    expect((await page()).total).toBe(0)
  })

  it('is read as quickly whatever programs call themselves', async () => {
    const evil = `Mozilla/${'Version/1'.padEnd(12_000, '1')}`
    for (let count = 0; count < 30; count += 1)
      await (await call('GET', '/api/nothing', { headers: { 'User-Agent': evil } })).text()
    const kept = await newest('?text=nothing')
    expect(kept.program?.length ?? 0).toBeLessThan(100)
  })

  it('keeps who called what, how it went and what it cost', async () => {
    const reply = await conversation.complete(ask('Hello'), {
      headers: { 'User-Agent': 'OpenAI/Python 1.2.3 (linux)' },
    })
    await reply.text()
    const record = await newest('?text=completions')
    expect(record).toMatchObject({
      id: reply.headers.get('x-request-id'),
      method: 'POST',
      endpoint: 'completions.chatCompletions',
      path: '/api/chat/completions',
      status: 200,
      credential: 'bearer',
      key_name: null,
      program: 'OpenAI/Python 1.2.3',
      model: 'text',
      stream: false,
      usage: { total_tokens: 18 },
      error: null,
      has_bodies: false,
    })
    expect(record.user?.name).toBeTruthy()
    expect(record.bytes_in).toBe(JSON.stringify(ask('Hello')).length)
    expect(record.bytes_out).toBeGreaterThan(100)
    expect(record.first_byte_milliseconds).toBeLessThanOrEqual(record.milliseconds)
  })

  it('keeps the tokens of a stream, the sentence of a failure and the name of a key', async () => {
    await (
      await conversation.complete(
        ask('Hello', { stream: true, stream_options: { include_usage: true } }),
      )
    ).text()
    expect(await newest('?text=completions')).toMatchObject({
      stream: true,
      usage: { total_tokens: 18 },
    })
    await set({ ENABLE_API_KEYS: true })
    const { api_key } = (await (
      await call('POST', '/api/v1/auths/api_keys', { body: { name: 'My script' } })
    ).json()) as {
      api_key: string
    }
    await conversation.server.call('GET', '/api/v1/chats/nowhere', { token: api_key })
    const failed = await newest('?status=4xx')
    expect(failed).toMatchObject({
      status: 404,
      credential: 'key',
      key_name: 'My script',
      endpoint: 'chats.get',
    })
    expect(failed.error).toMatch(/\w+ \w+/)
  })

  it('keeps calls of addresses nobody answers at', async () => {
    await (await call('POST', '/api/v1/chat/completion', { body: {} })).text()
    expect(await newest('?text=unknown')).toMatchObject({
      method: 'POST',
      path: '/api/v1/chat/completion',
      status: 404,
      user: null,
    })
  })

  it('leaves out health checks and its own pages', async () => {
    await call('GET', '/health')
    await page()
    expect(
      (await page()).items.filter(({ endpoint }) => /^requests|health/.test(endpoint)),
    ).toEqual([])
  })

  it('finds calls by method, status, class of status and words, and goes on after a number', async () => {
    await call('GET', '/api/v1/chats/nowhere')
    await call('GET', '/api/models')
    const { seq } = await newest('?text=models.list')
    expect((await page('?status=404')).items.map(({ endpoint }) => endpoint)).toEqual(['chats.get'])
    expect((await page('?status=4xx&method=POST')).items).toEqual([])
    expect(
      new Set((await page('?text=MODELS%20list')).items.map(({ endpoint }) => endpoint)),
    ).toEqual(new Set(['models.list']))
    expect(await page(`?after=${seq}`)).toMatchObject({ items: [], total: 0 })
    expect((await call('GET', `${ROOT}?status=abc`)).status).toBe(422)
  })

  it('keeps the newest only, can be cleared, and switched off leaves nothing', async () => {
    await set({ REQUEST_LOG_SIZE: 3 })
    for (let count = 0; count < 5; count += 1) await (await call('GET', '/api/version')).text()
    await newest('?text=version')
    expect(await page()).toMatchObject({ total: 3, size: 3, enabled: true, bodies: false })
    expect(await (await call('DELETE', ROOT)).json()).toBe(true)
    expect((await page()).items).toEqual([])
    await (await call('GET', '/api/version')).text()
    await newest()
    await set({ ENABLE_REQUEST_LOG: false })
    await (await call('GET', '/api/version')).text()
    expect(await page()).toMatchObject({ items: [], total: 0, enabled: false })
  })

  it('says when the caller left before the reply ended', async () => {
    const controller = new AbortController()
    const reply = await fetch(`${conversation.server.url}/api/chat/completions`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${conversation.token}`,
      },
      body: JSON.stringify(ask('/slow', { stream: true })),
    })
    await reply.body!.getReader().read()
    controller.abort()
    expect(await newest('?text=completions')).toMatchObject({ status: 499, stream: true })
  })
})

describe('recorded bodies', () => {
  beforeEach(() => set({ ENABLE_REQUEST_LOG_BODIES: true }))

  it('are kept without secrets, with the call for a shell', async () => {
    await (
      await conversation.complete(
        ask("It's me", { api_key: 'hunter2-hunter2', user: 'sk-abcdefghijklmnop' }),
      )
    ).text()
    const { id } = await newest('?text=completions')
    const detail = await get(id)
    expect(detail.request_body).toContain("It's me")
    expect(detail.response_body).toContain('chat.completion')
    expect(JSON.stringify(detail)).not.toMatch(/hunter2|sk-abcdef/)
    expect(detail.curl).toContain(
      `curl -X POST '${conversation.server.url}/api/chat/completions' -H "Authorization: Bearer $CHAT_GATEWAY_KEY"`,
    )
    expect(detail.curl).toContain(String.raw`It'\''s me`)
    expect(detail.can_replay).toBe(false)
  })

  it('of sign-in, settings and connections are never kept', async () => {
    await call('POST', '/api/v1/auths/signin', {
      body: { email: 'a@example.com', password: 'wrong password' },
    })
    expect(await newest('?text=signin')).toMatchObject({ has_bodies: false })
    await call('POST', '/api/v1/auths/ldap', { body: { user: 'ada', password: 'wrong password' } })
    expect(await newest('?text=ldap')).toMatchObject({ has_bodies: false })
    await set({ WEBUI_NAME: 'Renamed' })
    expect(await newest('?text=settings')).toMatchObject({ has_bodies: false })
  })

  it('can be sent again, on another model too, and the chat they belonged to stays as it was', async () => {
    const chat = await conversation.createChat('Hello')
    await (
      await conversation.complete(ask('Hello', { chat_id: chat.chat_id, id: 'answer-1' }))
    ).text()
    const { id } = await newest('?text=completions')
    const before = await conversation.readChat(chat.chat_id)
    const replay = async (body: object) =>
      (await (await call('POST', `${ROOT}/${id}/replay`, { body })).json()) as {
        status: number
        body: string
      }
    const again = await replay({})
    expect(again.status).toBe(200)
    expect(JSON.parse(again.body)).toMatchObject({ object: 'chat.completion' })
    expect(await replay({ model: 'no-such-model' })).toMatchObject({ status: 400 })
    expect(await conversation.readChat(chat.chat_id)).toEqual(before)
  })

  it('that are not whole cannot be sent again', async () => {
    await (await conversation.complete(ask('Hello', { token: 'x' }))).text()
    const { id } = await newest('?text=completions')
    expect((await call('POST', `${ROOT}/${id}/replay`, { body: {} })).status).toBe(409)
    expect((await call('POST', `${ROOT}/nothing/replay`, { body: {} })).status).toBe(404)
  })

  it('are not reached by a restricted key through a replay', async () => {
    await (await conversation.complete(ask('Hello'))).text()
    const { id } = await newest('?text=completions')
    await set({ ENABLE_API_KEYS: true })
    const { api_key } = (await (
      await call('POST', '/api/v1/auths/api_keys', { body: { name: 'log reader' } })
    ).json()) as {
      api_key: string
    }
    await set({
      ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true,
      API_KEYS_ALLOWED_ENDPOINTS: ['/api/v1/requests'],
    })
    const reply = await conversation.server.call('POST', `${ROOT}/${id}/replay`, {
      token: api_key,
      body: {},
    })
    expect(await reply.json()).toMatchObject({ status: 401 })
  })
})

describe('the live stream', () => {
  async function* events(query = ''): AsyncGenerator<RequestRecord> {
    const reply = await call('GET', `${ROOT}/stream${query}`)
    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    let text = ''
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
        text = text.slice(end + 2)
        if (data) yield requestRecordSchema.parse(JSON.parse(data))
      }
    }
  }

  it('sends calls as they end, those missed first, and only those that fit', async () => {
    await (await call('GET', '/api/version')).text()
    const { seq } = await newest('?text=version')
    const stream = events(`?after=${seq - 1}&text=version`)
    expect((await stream.next()).value).toMatchObject({ seq, endpoint: 'system.version' })
    await (await call('GET', '/api/config')).text()
    await (await call('GET', '/api/version')).text()
    expect((await stream.next()).value).toMatchObject({ endpoint: 'system.version' })
    await stream.return(undefined)
  })

  it('ends when the reader signs out', async () => {
    const stream = events()
    const first = stream.next()
    await call('GET', '/api/version')
    await first
    await call('POST', '/api/v1/auths/signout')
    let last = await stream.next()
    while (!last.done) last = await stream.next()
    expect(last.done).toBe(true)
  })
})

import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDER_KEY, startProxies, type Proxies } from '../testing/start-proxies.ts'

let proxies: Proxies
beforeAll(async () => {
  proxies = await startProxies({
    runtimes: [{ models: ['llama:8b'], embeddingModels: ['embed:latest'] }],
  })
})
afterAll(() => proxies.close())

const messages = [{ role: 'user' as const, content: 'Hello' }]

describe.each([
  ['/openai', 'cloud', 'cloud'],
  ['/llmhost/v1', 'llama:8b', 'embed:latest'],
  ['/ollama/v1', 'llama:8b', 'embed:latest'],
  ['/api', 'cloud', 'embed:latest'],
  ['/api/v1', 'cloud', 'embed:latest'],
  ['/v1', 'cloud', 'embed:latest'],
])('The SDK of remote providers on %s', (base, model, embedder) => {
  const client = () =>
    new OpenAI({ baseURL: proxies.server.url + base, apiKey: proxies.key, maxRetries: 0 })

  it('lists the models', async () => {
    const ids = []
    for await (const each of client().models.list()) ids.push(each.id)
    expect(ids).toContain(model)
  })

  it('chats, whole and streamed', async () => {
    const whole = await client().chat.completions.create({ model, messages })
    const streamed = await client().chat.completions.stream({ model, messages }).finalContent()
    expect(streamed).toContain('scripted model')
    expect(whole.choices[0]!.message.content).toBe(streamed)
  })

  it('embeds', async () => {
    const { data } = await client().embeddings.create({
      model: embedder,
      input: ['four', 'sixsix'],
      encoding_format: 'float',
    })
    expect(data.map(({ embedding }) => embedding[0])).toEqual([4, 6])
  })

  it('hears what is wrong', async () => {
    await expect(
      client().chat.completions.create({ model: 'no-such-model', messages }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Model not found') as string,
    })
    const wrong = new OpenAI({
      baseURL: proxies.server.url + base,
      apiKey: 'sk-wrong',
      maxRetries: 0,
    })
    await expect(wrong.chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 401,
    })
  })
})

describe('embeddings', () => {
  it('come as base64 of 32-bit floats when asked for, also from the local runtime', async () => {
    const body = { model: 'embed:latest', input: 'four', encoding_format: 'base64' }
    const { body: list } = await proxies.post<{ data: { embedding: string }[] }>(
      '/api/embeddings',
      body,
    )
    const bytes = Buffer.from(list.data[0]!.embedding, 'base64')
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4), bytes.readFloatLE(8)]).toEqual([4, 0.5, -1])
  })

  it('need texts for the local runtime', async () => {
    expect(
      (await proxies.post('/api/embeddings', { model: 'embed:latest', input: [1, 2, 3] })).status,
    ).toBe(400)
    expect((await proxies.post('/api/embeddings', { model: 'guide', input: 'x' })).status).toBe(400)
    expect((await proxies.post('/api/embeddings', { model: 'cloud' })).status).toBe(422)
  })

  it('are for models the caller may use only', async () => {
    const user = await proxies.addUser('Eve')
    const replies = await Promise.all(
      ['cloud', 'nobody'].map((model) =>
        proxies.post('/api/embeddings', { model, input: 'x' }, user),
      ),
    )
    expect(JSON.stringify(replies[0]).replaceAll('cloud', 'nobody')).toBe(
      JSON.stringify(replies[1]),
    )
    expect(replies[0]!.status).toBe(400)
  })
})

describe('calls handed to a provider', () => {
  const chat = (content: string, more: object = {}, headers: Record<string, string> = {}) =>
    proxies.server.call('POST', '/openai/chat/completions', {
      token: proxies.admin,
      headers,
      body: { model: 'cloud', messages: [{ role: 'user', content }], ...more },
    })

  it('answer with the status and the body of the provider', async () => {
    const reply = await chat('/error 422')
    expect(reply.status).toBe(422)
    expect(await reply.json()).toEqual({
      error: { message: 'The field "messages" is invalid.', type: 'invalid_request_error' },
    })
    expect((await chat('/error 503')).status).toBe(503)
    const busy = await chat('/busy 9')
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '9'])
  })

  it('show no key a provider repeats', async () => {
    expect(await (await chat('/error 401')).text()).not.toContain('sk-canary-0123456789abcdef')
  })

  it('follow no redirect and hand on no web page', async () => {
    expect((await chat('/redirect')).status).toBe(502)
    const page = await chat('/html 200')
    expect(page.status).toBe(502)
    expect(await page.text()).not.toContain('<html>')
  })

  it('row 12: carry the key of the connection, and no address, key or header a caller names', async () => {
    const before = proxies.compatible.requests.length
    const redirecting = {
      api_base: 'http://127.0.0.1:9',
      base_url: 'http://127.0.0.1:9',
      url: 'http://x.invalid',
      api_key: 'k',
      headers: { a: 'b' },
    }
    const caller = {
      Cookie: 'theme=dark',
      'X-Api-Key': proxies.key,
      'X-Forwarded-For': '1.2.3.4',
      Forwarded: 'for=1.2.3.4',
      TE: 'trailers',
      'X-Session-Key': 'half of one',
    }
    expect((await chat('Hello', redirecting, caller)).status).toBe(200)
    const sent = proxies.compatible.requests[before]!
    expect(Object.keys(sent.json!).toSorted()).toEqual(['messages', 'model'])
    expect(sent.headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`)
    for (const name of [
      'cookie',
      'x-api-key',
      'x-forwarded-for',
      'forwarded',
      'te',
      'x-session-key',
    ])
      expect(sent.headers).not.toHaveProperty(name)
  })

  it('name one model only, in whatever letters', async () => {
    const before = proxies.compatible.requests.length
    await chat('Hello', { Model: 'secret', MODEL: 'secret' })
    expect(proxies.compatible.requests[before]!.text).not.toContain('secret')
  })

  it('are for models of remote providers', async () => {
    expect(
      (await proxies.post('/openai/chat/completions', { model: 'llama:8b', messages: [] })).status,
    ).toBe(400)
    expect(
      (await proxies.get<{ data: { id: string }[] }>('/openai/models')).body.data.map(
        ({ id }) => id,
      ),
    ).toEqual(['cloud'])
    expect(
      (await proxies.get<{ data: { id: string }[] }>('/openai/models/0')).body.data,
    ).toHaveLength(1)
    expect((await proxies.get('/openai/models/7')).status).toBe(404)
    expect((await proxies.get<{ id: string }>('/openai/models/cloud')).body.id).toBe('cloud')
    const local = await proxies.get<{ data: object[] }>('/llmhost/v1/models/0')
    expect(local.body).toEqual((await proxies.get('/llmhost/v1/models')).body)
    for (const path of [
      '/api/models',
      '/api/v1/models',
      '/v1/models',
      '/llmhost/v1/models',
      '/ollama/v1/models',
    ]) {
      const id = path.endsWith('t/v1/models') || path.startsWith('/ollama') ? 'llama:8b' : 'cloud'
      expect((await proxies.get<{ id: string }>(`${path}/${id}`)).body.id, path).toBe(id)
      expect(await proxies.get(`${path}/nobody/at-all`), path).toMatchObject({
        status: 404,
        body: { error: { code: 'model_not_found' } },
      })
    }
  })
})

describe('other paths of a provider', () => {
  const allow = (value: boolean) =>
    proxies.server.context.settings.update({ ENABLE_OPENAI_API_PASSTHROUGH: value })

  it('are 403 until they are switched on, and then only those of a list', async () => {
    const body = { model: 'cloud', input: 'x' }
    expect((await proxies.post('/openai/moderations', body)).status).toBe(403)
    await allow(true)
    expect((await proxies.post('/openai/moderations', body)).body).toEqual({
      results: [{ flagged: false }],
    })
    expect(proxies.compatible.requests.at(-1)!.headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`)
    for (const path of [
      'files',
      'moderations/x',
      '..%2fadmin',
      '%2e%2e/admin',
      'moderations%2f..%2ffiles',
      'http:%2f%2f127.0.0.1:9',
    ]) {
      expect((await proxies.post(`/openai/${path}`, body)).status).toBe(404)
    }
    expect(
      (await proxies.server.call('DELETE', '/openai/models/cloud', { token: proxies.admin }))
        .status,
    ).toBe(404)
    expect((await proxies.post('/openai/moderations', { input: 'x' })).status).toBe(400)
    expect(
      (await proxies.post('/openai/moderations', { model: 'nobody', input: 'x' })).status,
    ).toBe(400)
    const text = await proxies.server.call('POST', '/openai/moderations', {
      token: proxies.admin,
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(text.status).toBe(415)
    await allow(false)
  })
})

describe.each(['text/event-stream', 'application/json'])(
  'a provider that answers chat completions under the type %s',
  (type) => {
    const WHOLE = {
      choices: [
        { index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' },
      ],
    }
    const STREAMED =
      'data: {"choices":[{"index":0,"delta":{"content":"pieces"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    let sent: string
    let others: Proxies
    beforeAll(async () => {
      const script = async () => ({ status: 200, headers: { 'content-type': type }, body: sent })
      others = await startProxies({ compatible: { script } })
    })
    afterAll(() => others.close())

    async function ask(body: string, stream: boolean): Promise<{ status: number; text: string }> {
      sent = body
      const call = { token: others.admin, body: { model: 'cloud', messages, stream } }
      const reply = await others.server.call('POST', '/openai/chat/completions', call)
      return { status: reply.status, text: await reply.text() }
    }

    it('has a document converted for a caller who asked for a stream, and passed to one who did not', async () => {
      const events = (await ask(JSON.stringify(WHOLE, null, 2), true)).text
        .split('\n')
        .filter(Boolean)
      expect(JSON.parse(events[0]!.slice('data: '.length))).toMatchObject({
        choices: [{ delta: { content: 'whole' }, finish_reason: 'stop' }],
      })
      expect(events.slice(1)).toEqual(['data: [DONE]'])
      expect((await ask(JSON.stringify(WHOLE), false)).text).toBe(JSON.stringify(WHOLE))
    })

    it('has a stream passed to a caller who asked for one, and collected for one who did not', async () => {
      expect((await ask(STREAMED, true)).text).toBe(STREAMED)
      expect(JSON.parse((await ask(STREAMED, false)).text)).toMatchObject({
        choices: [{ message: { content: 'pieces' } }],
      })
    })

    it('has its error told', async () => {
      for (const stream of [true, false]) {
        const { status, text } = await ask('{"error":{"message":"No credit."}}', stream)
        expect(status).toBe(502)
        expect(JSON.parse(text)).toMatchObject({ error: { message: 'No credit.' } })
      }
    })

    it.each([
      ['a document that was cut off', JSON.stringify(WHOLE).slice(0, -9)],
      ['an object without an answer', '{}'],
    ])('is refused with %s', async (_, body) => {
      for (const stream of [true, false]) {
        const { status, text } = await ask(body, stream)
        expect(status).toBe(502)
        expect(JSON.parse(text)).toMatchObject({ error: { code: 'upstream_incomplete' } })
      }
    })

    it.each([
      ['nothing', ''],
      ['plain text', 'Hello'],
    ])('is not taken for one that has answered with %s', async (_, body) => {
      const { status, text } = await ask(body, false)
      expect(status).toBe(502)
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'upstream_not_an_api' } })
      expect((await ask(body, true)).text).toMatch(/"error":.*"upstream_/)
    })
  },
)

it.each([
  ['/llmhost/v1', 200],
  ['/ollama/v1', 200],
  ['/api/v1', 415],
])('bodies of any media type on %s are answered with %i', async (base, expected) => {
  const requests = [
    ['chat/completions', { model: 'llama:8b', messages }],
    ['embeddings', { model: 'embed:latest', input: 'Hello' }],
  ] as const
  for (const [path, body] of requests) {
    const { status } = await proxies.server.call('POST', `${base}/${path}`, {
      token: proxies.key,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify(body),
    })
    expect([path, status]).toEqual([path, expected])
  }
})

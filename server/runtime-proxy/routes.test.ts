import { afterEach, describe, expect, it } from 'vitest'
import { startProxies, type Proxies, type ProxiesOptions } from '../testing/start-proxies.ts'

let proxies: Proxies
afterEach(() => proxies.close())
const start = async (options?: ProxiesOptions) => (proxies = await startProxies(options))

interface Tags {
  models: { name: string; model: string; digest: string; urls: number[] }[]
}
const prompt = (model: string) => ({ model, prompt: 'Hello', stream: false })
const generate = (model: string, path = '/llmhost/api/generate') =>
  proxies.post<{ response: string; detail: string }>(path, prompt(model))
const generations = () =>
  proxies.runtimes.map(
    ({ requests }) => requests.filter(({ path }) => path === '/api/generate').length,
  )

describe('several runtimes', () => {
  it('are one list that says which of them have a model', async () => {
    await start({ runtimes: [{ models: ['both', 'first'] }, { models: ['both', 'second'] }] })
    const { body } = await proxies.get<Tags>('/llmhost/api/tags')
    expect(body.models.map(({ name, urls }) => [name, urls])).toEqual([
      ['both', [0, 1]],
      ['first', [0]],
      ['second', [1]],
    ])
    expect(body.models[0]).toMatchObject({
      model: 'both',
      digest: 'digest-of-both',
      size: 4_661_224_676,
    })
    const second = await proxies.get<Tags>('/ollama/api/tags/1')
    expect(second.body.models.map(({ name }) => name)).toEqual(['both', 'second'])
    expect((await proxies.get('/llmhost/api/tags/2')).status).toBe(404)
    expect((await proxies.get('/llmhost/api/tags/x')).status).toBe(422)
  })

  it('share the calls for a model both have, and one can be chosen', async () => {
    await start({ runtimes: [{ models: ['both'] }, { models: ['both'] }] })
    for (let call = 0; call < 30; call += 1) await generate('both')
    expect(generations().every((count) => count > 0)).toBe(true)
    const [before] = generations()
    await generate('both', '/llmhost/api/generate/0')
    expect(generations()[0]).toBe(before! + 1)
    expect((await generate('both', '/llmhost/api/generate/9')).status).toBe(404)
  })

  it('are chosen by their place in every format, as far as the model may be used', async () => {
    await start({ runtimes: [{ models: ['both', 'first'] }, { models: ['both'] }] })
    const messages = [{ role: 'user', content: 'Hello' }]
    const chats = () =>
      proxies.runtimes.map(
        ({ requests }) => requests.filter(({ path }) => /^\/api\/(chat|embed)$/.test(path)).length,
      )
    const calls = [
      ['/llmhost/v1/chat/completions', { model: 'both', messages }],
      ['/llmhost/v1/messages', { model: 'both', messages, max_tokens: 9 }],
      ['/llmhost/v1/responses', { model: 'both', input: 'Hello' }],
      ['/llmhost/v1/embeddings', { model: 'both', input: 'Hello' }],
    ] as const
    const stranger = await proxies.addUser('Eve')
    for (const [place, path, body] of [0, 1].flatMap((place) =>
      calls.map(([path, body]) => [place, path, body] as const),
    )) {
      const before = chats()
      expect((await proxies.post(`${path}/${place}`, body)).status, path).toBe(200)
      expect(chats(), `${path}/${place}`).toEqual(
        before.map((count, index) => count + Number(index === place)),
      )
      expect((await proxies.post(`${path}/${place}`, body, stranger)).status, path).toBe(400)
      expect((await proxies.post(`${path}/9`, body)).status, path).toBe(404)
      expect((await proxies.post(`${path}/x`, body)).status, path).toBe(422)
      expect((await proxies.post(`${path}/1`, { ...body, model: 'first' })).status, path).toBe(400)
    }
  })

  it('stand in for one that is gone', async () => {
    await start({ runtimes: [{ models: ['both'] }, { models: ['both'] }] })
    await proxies.runtimes[0]!.close()
    for (let call = 0; call < 6; call += 1) expect((await generate('both')).status).toBe(200)
    expect((await proxies.get<Tags>('/llmhost/api/tags')).body.models[0]!.urls).toEqual([1])
    await proxies.runtimes[1]!.close()
    for (let call = 0; call < 4; call += 1) {
      const { status, body } = await generate('both')
      expect(status).toBe(502)
      expect(body.detail).toContain('nothing is listening')
    }
  })

  it('answer with the lowest version and all loaded models', async () => {
    await start({
      runtimes: [
        { models: ['a'], version: '0.12.3' },
        { models: ['b'], version: '0.9.10' },
      ],
    })
    expect((await proxies.get('/llmhost/api/version')).body).toEqual({ version: '0.9.10' })
    expect((await proxies.get('/llmhost/api/version/0')).body).toEqual({ version: '0.12.3' })
    expect(
      (await proxies.get<Tags>('/llmhost/api/ps')).body.models.map(({ name }) => name),
    ).toEqual(['a', 'b'])
  })

  it('unload a model everywhere', async () => {
    await start({ runtimes: [{ models: ['both'] }, { models: ['both'] }] })
    expect((await proxies.post('/llmhost/api/unload', { name: 'both' })).body).toEqual({
      status: true,
    })
    for (const { requests } of proxies.runtimes)
      expect(requests.at(-1)!.json).toEqual({ model: 'both', keep_alive: 0, stream: false })
  })
})

describe('a prefix', () => {
  it('is shown and taken off before the call', async () => {
    await start({ runtimes: [{ models: ['llama:8b'] }], environment: { LLMHOST_BASE_URLS: '' } })
    const [runtime] = proxies.runtimes
    const config = {
      LLMHOST_BASE_URLS: [runtime!.url],
      LLMHOST_API_CONFIGS: { 0: { prefix_id: 'home' } },
    }
    expect((await proxies.post('/llmhost/config/update', config)).status).toBe(200)
    const { body } = await proxies.get<Tags>('/llmhost/api/tags')
    expect(body.models[0]).toMatchObject({ name: 'home.llama:8b', model: 'home.llama:8b' })
    expect((await generate('home.llama:8b')).status).toBe(200)
    expect(runtime!.requests.at(-1)!.json).toEqual({
      model: 'llama:8b',
      prompt: 'Hello',
      stream: false,
    })
    expect((await generate('llama:8b')).status).toBe(400)
    await proxies.post('/llmhost/api/show', { name: 'home.llama:8b' })
    expect(runtime!.requests.findLast(({ path }) => path === '/api/show')!.json).toEqual({
      model: 'llama:8b',
    })
    await proxies.post('/llmhost/api/pull', { name: 'home.new:1b', stream: false })
    expect(runtime!.requests.findLast(({ path }) => path === '/api/pull')!.json).toEqual({
      model: 'new:1b',
      stream: false,
    })
  })
})

describe('model access', () => {
  it('row 17: management is for administrators, and only listed paths pass', async () => {
    await start({ runtimes: [{ models: ['llama:8b'] }] })
    const user = await proxies.addUser('Eve')
    const before = proxies.runtimes[0]!.requests.length
    for (const action of ['pull', 'push', 'create', 'unload']) {
      expect(
        (await proxies.post(`/llmhost/api/${action}`, { model: 'registry.evil/x' }, user)).status,
      ).toBe(401)
    }
    const digest = await proxies.server.call('POST', '/llmhost/api/blobs/sha256:aa', {
      token: proxies.admin,
      body: {},
    })
    expect(digest.status).toBe(422)
    for (const path of ['push/../blobs', 'generate%2f..%2ftags', 'generate/0/x']) {
      expect(
        (
          await proxies.server.call('POST', `/llmhost/api/${path}`, {
            token: proxies.admin,
            body: {},
          })
        ).status,
      ).toBe(404)
    }
    expect(proxies.runtimes[0]!.requests.slice(before)).toEqual([])
  })

  it('holds for every body that names a model, with one text for forbidden and unknown', async () => {
    await start({ runtimes: [{ models: ['llama:8b'], embeddingModels: ['embed'] }] })
    const user = await proxies.addUser('Eve')
    const paths = ['generate', 'chat', 'embed', 'embeddings', 'show'].map(
      (name) => `/llmhost/api/${name}`,
    )
    for (const path of [
      ...paths,
      '/llmhost/v1/completions',
      '/llmhost/v1/embeddings',
      '/llmhost/v1/chat/completions',
    ]) {
      const [forbidden, unknown] = await Promise.all(
        ['llama:8b', 'nobody:1b'].map((model) =>
          proxies.post(path, { model, messages: [], input: 'x', prompt: 'x' }, user),
        ),
      )
      expect(JSON.stringify(forbidden).replaceAll('llama:8b', 'nobody:1b')).toBe(
        JSON.stringify(unknown),
      )
      expect(forbidden!.status).toBe(400)
    }
    expect((await proxies.get<Tags>('/llmhost/api/tags', user)).body.models).toEqual([])
    expect((await proxies.get<{ data: [] }>('/llmhost/v1/models', user)).body.data).toEqual([])
    await proxies.server.context.settings.update({ BYPASS_MODEL_ACCESS_CONTROL: true })
    expect((await proxies.get<Tags>('/llmhost/api/tags', user)).body.models).toHaveLength(2)
    expect(
      (await proxies.post('/llmhost/api/embed', { model: 'embed', input: 'x' }, user)).status,
    ).toBe(200)
  })

  it('cannot be got around by naming the model twice or in other letters', async () => {
    await start({ runtimes: [{ models: ['open', 'secret'] }] })
    const send = (body: string) =>
      proxies.server.call('POST', '/llmhost/api/generate', { token: proxies.admin, body })
    for (const body of [
      '{"model":"open","MODEL":"secret","prompt":"x"}',
      '{"Model":"secret","model":"open","prompt":"x"}',
      '{"model":"secret","model":"open","prompt":"x"}',
      '{"\\u006dodel":"secret","model":"open","prompt":"x"}',
      '{"\\u004dodel":"secret","model":"open","prompt":"x"}',
    ]) {
      expect((await send(body)).status).toBe(200)
      expect(proxies.runtimes[0]!.requests.at(-1)!.text).not.toContain('secret')
    }
  })
})

describe('what reaches a runtime', () => {
  it('is nothing of the caller but the body, as its bytes came', async () => {
    await start({ runtimes: [{ models: ['llama:8b'] }] })
    const headers = {
      Cookie: 'token=abc',
      'X-Api-Key': proxies.key,
      'X-Forwarded-For': '1.2.3.4',
      'X-Real-Ip': '1.2.3.4',
      Forwarded: 'for=1.2.3.4',
      'Proxy-Authorization': 'Basic abc',
      TE: 'trailers',
      Origin: proxies.server.url,
      'User-Agent': 'canary/1',
    }
    const body =
      '{ "prompt":"x",  "model" : "llama:8b", "options":{"temperature":1.0, "seed":12345678901234567890} }'
    expect(
      (
        await proxies.server.call('POST', '/llmhost/api/generate', {
          token: proxies.admin,
          headers,
          body,
        })
      ).status,
    ).toBe(200)
    const sent = proxies.runtimes[0]!.requests.at(-1)!
    expect(sent.text).toBe(body)
    expect(Object.keys(sent.headers).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ])
    expect(sent.headers['user-agent']).toBe('chat-gateway')
  })

  it('row 12: is no address, key or header that a body names', async () => {
    await start({ runtimes: [{ models: ['llama:8b'] }] })
    const body = {
      ...prompt('llama:8b'),
      url: 'http://127.0.0.1:9',
      api_base: 'http://127.0.0.1:9',
      base_url: 'http://x',
      headers: { a: 'b' },
    }
    expect((await proxies.post('/llmhost/api/generate', body)).status).toBe(200)
    expect(proxies.runtimes[0]!.requests.at(-1)!.json).toEqual(prompt('llama:8b'))
    expect(
      (
        await proxies.post('/llmhost/api/show', {
          name: 'llama:8b',
          MODEL: 'secret',
          url: 'http://x',
        })
      ).status,
    ).toBe(200)
    expect(proxies.runtimes[0]!.requests.at(-1)!.json).toEqual({ model: 'llama:8b' })
  })

  it('is JSON by whatever name a program gives it, but a form of a page is none', async () => {
    await start({ runtimes: [{ models: ['llama:8b'] }] })
    const body = JSON.stringify(prompt('llama:8b'))
    const form = 'application/x-www-form-urlencoded'
    for (const type of ['text/plain', form, 'application/octet-stream', '']) {
      for (const path of ['/llmhost/api/generate', '/ollama/api/generate']) {
        const call = { headers: { 'Content-Type': type }, body }
        expect(
          (await proxies.server.call('POST', path, { token: proxies.admin, ...call })).status,
        ).toBe(200)
        expect(
          (await proxies.server.call('POST', path, { token: proxies.key, ...call })).status,
        ).toBe(200)
        expect(
          (
            await proxies.server.call('POST', path, {
              token: proxies.admin,
              ...call,
              body: 'model=llama',
            })
          ).status,
        ).toBe(422)
        const withCookie = { headers: { ...call.headers, Cookie: `token=${proxies.admin}` }, body }
        expect((await proxies.server.call('POST', path, withCookie)).status).toBe(415)
      }
    }
    const other = { token: proxies.admin, headers: { 'Content-Type': 'text/plain' }, body: '{}' }
    expect((await proxies.server.call('POST', '/api/v1/chats/new', other)).status).toBe(415)
  })

  it('is a model by its name without a tag in every dialect, unless another one has that name', async () => {
    await start({
      runtimes: [{ models: ['llama:latest', 'tiny:latest'], embeddingModels: ['embed:latest'] }],
      compatible: { models: ['cloud', 'tiny', 'llama:latest'] },
    })
    const messages = [{ role: 'user', content: 'Hello' }]
    const { body: chat } = await proxies.post<{ id: string }>('/api/v1/chats/new', { chat: {} })
    const local = () =>
      proxies.runtimes[0]!.requests.filter(({ path }) =>
        /^\/api\/(chat|generate|embed)$/.test(path),
      ).length
    const calls = [
      ['/llmhost/api/chat', { model: 'llama', messages, stream: false }],
      ['/llmhost/api/chat', { model: 'tiny', messages, stream: false }],
      ['/llmhost/api/generate', { model: 'llama:latest', prompt: 'Hello', stream: false }],
      ['/api/chat/completions', { model: 'llama', messages }],
      ['/api/chat/completions', { model: 'llama:latest', messages }],
      ['/api/v1/messages', { model: 'llama', messages, max_tokens: 9 }],
      ['/api/v1/responses', { model: 'llama', input: 'Hello' }],
      ['/api/embeddings', { model: 'embed', input: 'Hello' }],
      ['/api/v1/tasks/title/completions', { model: 'llama', messages }],
      ['/api/chat/completions', { model: 'llama', messages, chat_id: chat.id, id: 'a' }],
    ] as const
    for (const [path, body] of calls) {
      const before = local()
      expect((await proxies.post(path, body)).status, path).toBe(200)
      expect(local(), `${path} ${body.model}`).toBe(before + 1)
    }
    const before = local()
    expect((await proxies.post('/api/chat/completions', { model: 'tiny', messages })).status).toBe(
      200,
    )
    expect(local()).toBe(before)
    expect(
      (await proxies.post('/api/chat/completions', { model: 'cloud:latest', messages })).status,
    ).toBe(400)
    expect(
      (
        await proxies.post(
          '/api/chat/completions',
          { model: 'llama', messages },
          await proxies.addUser('Eve'),
        )
      ).status,
    ).toBe(400)
  })
})

describe('what a runtime says', () => {
  it('keeps its status and its sentence when it refuses, and is a fault of the gateway at no time', async () => {
    await start({ runtimes: [{}] })
    const statuses = await Promise.all(
      [400, 404, 413, 422, 429, 401, 500, 503].map(async (status) => {
        const reply = await proxies.post<{ detail: string; error: string }>(
          '/llmhost/api/generate',
          {
            model: 'text',
            prompt: `/error ${status}`,
          },
        )
        expect(reply.body.error).toBe(reply.body.detail)
        return reply.status
      }),
    )
    expect(statuses).toEqual([400, 404, 413, 422, 429, 502, 502, 503])
    const { body } = await proxies.post<{ detail: string }>('/llmhost/api/generate', {
      model: 'text',
      prompt: '/error 422',
    })
    expect(body.detail).toBe('The field "messages" is invalid.')
  })

  it('is not followed elsewhere, and no web page is handed on', async () => {
    await start({ runtimes: [{}] })
    for (const words of ['/redirect', '/html 200']) {
      expect(
        (await proxies.post('/llmhost/api/generate', { model: 'text', prompt: words })).status,
      ).toBe(502)
    }
  })
})

describe('the switch', () => {
  it('answers 503 for calls, version false, and leaves the models out everywhere', async () => {
    await start({
      runtimes: [{ models: ['llama:8b'] }],
      environment: { ENABLE_OLLAMA_API: 'false' },
    })
    expect((await generate('llama:8b')).status).toBe(503)
    expect((await proxies.get('/llmhost/api/tags')).status).toBe(503)
    expect((await proxies.get('/llmhost/api/version')).body).toEqual({ version: false })
    expect((await proxies.get('/llmhost')).body).toEqual({ status: true })
    const models = await proxies.get<{ data: { id: string }[] }>('/api/models')
    expect(models.body.data.map(({ id }) => id)).not.toContain('llama:8b')
    expect(
      (
        await proxies.post<Record<string, unknown>>('/ollama/config/update', {
          ENABLE_OLLAMA_API: true,
        })
      ).body.ENABLE_LLMHOST_API,
    ).toBe(true)
    expect((await generate('llama:8b')).status).toBe(200)
  })
})

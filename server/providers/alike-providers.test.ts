import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'
import type { Fields } from '../lib/is-record.ts'

let proxies: Proxies
beforeAll(async () => {
  proxies = await startProxies({ runtimes: [{ models: ['llama:8b'] }] })
})
afterAll(() => proxies.close())

const ask = (more: Fields = {}) => ({
  model: 'llama:8b',
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
})

/** Returns the chunks of a stream, without its end mark. */
async function stream(
  path: string,
  body: Fields,
): Promise<(Fields & { choices: { finish_reason: string | null }[] })[]> {
  const response = await proxies.server.call('POST', path, {
    token: proxies.admin,
    body: { ...body, stream: true },
  })
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map(
    (line) => JSON.parse(line.slice(6)) as Fields & { choices: { finish_reason: string | null }[] },
  )
}

describe('Answers of the local runtime, as programs written for the reference read them', () => {
  test('tell their token counts in the chunk with the reason of the end, so that every chunk has a choice', async () => {
    const chunks = await stream('/api/chat/completions', ask())
    expect(chunks.every(({ choices }) => choices.length > 0)).toBe(true)
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    })
  })

  test('tell them once, in a chunk of their own, to who asked for that', async () => {
    const chunks = await stream(
      '/api/chat/completions',
      ask({ stream_options: { include_usage: true } }),
    )
    const told = chunks.filter(({ usage }) => usage)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ choices: [], usage: { total_tokens: 18 } })
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  })

  test('tell them under both names when they are not streamed', async () => {
    const { body } = await proxies.post<Fields>('/api/chat/completions', ask())
    expect(body['usage']).toMatchObject({
      prompt_tokens: 11,
      completion_tokens: 7,
      input_tokens: 11,
      output_tokens: 7,
      total_tokens: 18,
    })
  })
})

interface Config {
  OPENAI_API_BASE_URLS: string[]
  OPENAI_API_KEYS: string[]
  OPENAI_API_CONFIGS: Record<string, Fields>
}

describe('Lists and settings of providers', () => {
  const config = async () => (await proxies.get<Config>('/openai/config')).body
  const update = (body: Partial<Config>) =>
    proxies.post<Config & { detail: string }>('/openai/config/update', body)
  const types = async () => {
    const { body } = await proxies.get<{ data: { id: string; connection_type: string }[] }>(
      '/api/models?refresh=true',
    )
    return Object.fromEntries(body.data.map(({ id, connection_type: type }) => [id, type]))
  }

  test('/openai/models names each model, its kind of connection and its row at the provider', async () => {
    const { body } = await proxies.get<{ data: Fields[] }>('/openai/models')
    expect(body.data.find(({ id }) => id === 'cloud')).toMatchObject({
      name: 'cloud',
      connection_type: 'local',
      openai: { id: 'cloud', object: 'model', name: 'cloud' },
      urlIdx: 0,
    })
    const { body: runtime } = await proxies.get<{ data: Fields[] }>('/llmhost/v1/models')
    expect(runtime.data[0]).not.toHaveProperty('openai')
  })

  test('a posted connection_type counts, whatever the address, and may be taken back', async () => {
    expect((await types())['cloud']).toBe('local')
    const posted = await update({ OPENAI_API_CONFIGS: { 0: { connection_type: 'external' } } })
    expect(posted.body.OPENAI_API_CONFIGS['0']).toMatchObject({ connection_type: 'external' })
    expect((await types())['cloud']).toBe('external')
    // Scripts send back the whole configuration they read.
    expect((await update(await config())).body.OPENAI_API_CONFIGS['0']).toMatchObject({
      connection_type: 'external',
    })
    await update({ OPENAI_API_CONFIGS: { 0: { connection_type: 'local' } } })
    expect((await types())['cloud']).toBe('local')
  })

  test('a connection_type that is none leaves what there was', async () => {
    const { status, body } = await update({
      OPENAI_API_CONFIGS: { 0: { connection_type: 'moon' } },
    })
    expect([status, body.OPENAI_API_CONFIGS['0']?.['connection_type']]).toEqual([200, 'local'])
  })

  test('a connection is removed by sending the rest, which are known by address, also beside one of the environment', async () => {
    const { OPENAI_API_BASE_URLS: urls } = await config()
    const [first] = urls as [string]
    const more = ['http://192.0.2.1/v1', 'http://192.0.2.2/v1'] as const
    await update({
      OPENAI_API_BASE_URLS: [first, ...more],
      OPENAI_API_KEYS: ['', 'sk-one', 'sk-two'],
    })
    const spelled = `${first.replace('http://', 'HTTP://')}/`
    const { status, body } = await update({ OPENAI_API_BASE_URLS: [more[1], spelled] })
    expect([status, body.OPENAI_API_BASE_URLS]).toEqual([200, [more[1], first]])
    const { status: refused, body: told } = await update({ OPENAI_API_BASE_URLS: [more[1]] })
    expect([refused, told.detail]).toEqual([
      400,
      expect.stringContaining('comes from the environment'),
    ])
    await update({ OPENAI_API_BASE_URLS: [first] })
  })

  test('unloading a model of the runtime answers its status', async () => {
    expect((await proxies.post('/ollama/api/unload', { model: 'llama:8b' })).body).toEqual({
      status: true,
    })
  })
})

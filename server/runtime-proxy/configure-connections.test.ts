import { afterEach, describe, expect, it } from 'vitest'
import {
  PROVIDER_KEY,
  startProxies,
  type Proxies,
  type ProxiesOptions,
} from '../testing/start-proxies.ts'

let proxies: Proxies
afterEach(() => proxies.close())
const start = async (options?: ProxiesOptions) => (proxies = await startProxies(options))

interface Config {
  OLLAMA_BASE_URLS: string[]
  OLLAMA_API_CONFIGS: Record<
    string,
    { key: string; prefix_id: string; enable: boolean; connection_type: string }
  >
  ENABLE_LLMHOST_API: boolean
}

const generate = () =>
  proxies.post('/llmhost/api/generate', { model: 'a', prompt: 'Hello', stream: false })

describe('the configuration', () => {
  it('lists, changes, adds and removes connections, and shows no key', async () => {
    await start({
      runtimes: [{ models: ['a'] }, { models: ['b'] }],
      environment: { LLMHOST_BASE_URLS: '' },
    })
    const [first, second] = proxies.runtimes
    const added = await proxies.post<Config>('/llmhost/config/update', {
      OLLAMA_BASE_URLS: [first!.url, second!.url],
      OLLAMA_API_CONFIGS: { 0: { key: 'secret-key-123' }, 1: { enable: false } },
    })
    expect(JSON.stringify(added.body)).not.toContain('secret-key-123')
    expect(added.body.OLLAMA_BASE_URLS).toEqual([first!.url, second!.url])
    expect(added.body.OLLAMA_API_CONFIGS[0]).toMatchObject({
      key: '********',
      enable: true,
      connection_type: 'local',
    })
    const again = await proxies.post<Config>('/llmhost/config/update', added.body)
    expect(again.body).toEqual(added.body)
    expect((await generate()).status).toBe(200)
    expect(first!.requests.at(-1)!.headers.authorization).toBe('Bearer secret-key-123')
    const removed = await proxies.post<Config>('/llmhost/config/update', {
      LLMHOST_BASE_URLS: [second!.url],
    })
    expect(removed.body.OLLAMA_BASE_URLS).toEqual([second!.url])
    expect(
      (await proxies.post('/llmhost/config/update', { LLMHOST_BASE_URLS: ['no address'] })).status,
    ).toBe(422)
    expect((await proxies.post('/llmhost/verify', { url: first!.url })).body).toEqual({
      version: '0.12.3',
    })
    expect((await proxies.post('/llmhost/verify', { url: 'http://127.0.0.1:9' })).status).toBe(502)
  })

  it('keeps the order of many addresses that come at once', async () => {
    await start({ runtimes: [], environment: { LLMHOST_BASE_URLS: '' } })
    const urls = Array.from({ length: 12 }, (_, index) => `http://127.0.0.1:${9100 + index}`)
    const configs = Object.fromEntries(
      urls.map((_, index) => [String(index), { enable: false, prefix_id: `p${index}` }]),
    )
    const { body } = await proxies.post<Config>('/llmhost/config/update', {
      OLLAMA_BASE_URLS: urls,
      OLLAMA_API_CONFIGS: configs,
    })
    expect(body.OLLAMA_BASE_URLS).toEqual(urls)
    expect(Object.values(body.OLLAMA_API_CONFIGS).map((config) => config['prefix_id'])).toEqual(
      urls.map((_, index) => `p${index}`),
    )
  })

  it('refuses what it could not keep', async () => {
    await start({ runtimes: [{ models: ['a'] }] })
    for (const wish of [
      { azure: true },
      { auth_type: 'azure_ad' },
      { auth_type: 'session' },
      { auth_type: 'system_oauth' },
    ]) {
      const body = {
        OPENAI_API_BASE_URLS: [proxies.compatible.url, 'https://api.example'],
        OPENAI_API_CONFIGS: { 1: wish },
      }
      const refused = await proxies.post<{ detail: string }>('/openai/config/update', body)
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        expect.stringContaining(Object.keys(wish)[0]!),
      ])
    }
    for (const usual of [
      { azure: false },
      { auth_type: 'bearer' },
      { auth_type: 'none' },
      { auth_type: '' },
      { auth_type: null },
    ]) {
      const body = {
        OPENAI_API_BASE_URLS: [proxies.compatible.url, 'https://api.example'],
        OPENAI_API_CONFIGS: { 1: { ...usual, enable: false } },
      }
      expect((await proxies.post('/openai/config/update', body)).status).toBe(200)
    }
  })

  it('keeps what scripts change about connections of the environment, which are not taken away', async () => {
    await start({ runtimes: [{ models: ['a'] }], environment: { OPENAI_API_KEYS: 'outdated-key' } })
    expect((await proxies.post('/llmhost/config/update', { LLMHOST_BASE_URLS: [] })).status).toBe(
      400,
    )
    type Compatible = {
      OPENAI_API_KEYS: string[]
      OPENAI_API_BASE_URLS: string[]
      OPENAI_API_CONFIGS: Record<string, Record<string, unknown>>
    }
    const { body: before } = await proxies.get<Compatible>('/openai/config')
    expect(before).toMatchObject({
      OPENAI_API_BASE_URLS: [proxies.compatible.url],
      OPENAI_API_KEYS: ['********'],
    })
    expect((await proxies.post('/openai/config/update', before)).body).toEqual(before)
    const change = {
      OPENAI_API_BASE_URLS: [`${proxies.compatible.url}/`],
      OPENAI_API_KEYS: [PROVIDER_KEY],
      OPENAI_API_CONFIGS: {
        0: { prefix_id: 'c', headers: { 'x-team': 'blue' }, model_ids: ['cloud'] },
      },
    }
    const { body: changed } = await proxies.post<Compatible>('/openai/config/update', change)
    expect(changed.OPENAI_API_CONFIGS['0']).toMatchObject({
      prefix_id: 'c',
      headers: { 'x-team': '********' },
      model_ids: ['cloud'],
    })
    const ask = { model: 'c.cloud', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await proxies.post('/api/chat/completions', ask)).status).toBe(200)
    expect(proxies.compatible.requests.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${PROVIDER_KEY}`,
      'x-team': 'blue',
    })
    const { body: off } = await proxies.post<Compatible>('/openai/config/update', {
      OPENAI_API_CONFIGS: { 0: { enable: false } },
    })
    expect(off.OPENAI_API_CONFIGS['0']).toMatchObject({ enable: false, prefix_id: 'c' })
    expect((await proxies.post('/api/chat/completions', ask)).status).toBe(400)
  })

  it('keeps a key for the runtime of the environment', async () => {
    await start({ runtimes: [{ models: ['a'] }] })
    const [runtime] = proxies.runtimes
    expect(
      (
        await proxies.post('/llmhost/config/update', {
          LLMHOST_API_CONFIGS: { 0: { key: 'runtime-key' } },
        })
      ).status,
    ).toBe(200)
    expect((await generate()).status).toBe(200)
    expect(runtime!.requests.at(-1)!.headers.authorization).toBe('Bearer runtime-key')
  })
})

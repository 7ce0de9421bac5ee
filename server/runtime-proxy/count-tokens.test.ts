import { afterEach, describe, expect, it } from 'vitest'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'
import { readTokens } from './count-tokens.ts'

let proxies: Proxies | undefined
afterEach(() => proxies?.close())

describe('tokens of a key with a daily cap', () => {
  it('are counted whatever the proxy hands on', async () => {
    proxies = await startProxies({
      runtimes: [{ models: ['llama:8b'], embeddingModels: ['embed'] }],
      environment: { ENABLE_API_KEY_LIMITS: 'true' },
    })
    const { body: key } = await proxies.post<{ api_key: string; id: string }>(
      '/api/v1/auths/api_keys',
      {
        name: 'capped',
        daily_tokens: 1000,
      },
    )
    const used = async () => {
      const { body } =
        await proxies!.get<{ id: string; today: { tokens: number } }[]>('/api/v1/auths/api_keys')
      return body.find(({ id }) => id === key.id)?.today.tokens
    }
    const send = (path: string, body: unknown) =>
      proxies!.server.call('POST', path, { token: key.api_key, body }).then((reply) => reply.text())
    await send('/llmhost/api/generate', { model: 'llama:8b', prompt: 'Hello' })
    expect(await used()).toBe(18)
    await send('/llmhost/api/chat', { model: 'llama:8b', messages: [], stream: false })
    expect(await used()).toBe(36)
    await send('/openai/chat/completions', { model: 'cloud', messages: [], stream: true })
    expect(await used()).toBe(54)
    await send('/openai/chat/completions', { model: 'cloud', messages: [], stream: false })
    expect(await used()).toBe(72)
    await send('/api/embeddings', { model: 'embed', input: ['a', 'b'] })
    expect(await used()).toBe(74)
  })

  it('are kept for a running call, and those of a caller that breaks off are estimated', async () => {
    proxies = await startProxies({
      runtimes: [{ models: ['llama:8b'] }],
      environment: { ENABLE_API_KEY_LIMITS: 'true' },
    })
    const { body: key } = await proxies.post<{ api_key: string }>('/api/v1/auths/api_keys', {
      name: 'capped',
      daily_tokens: 1000,
    })
    const ask = (content: string, signal?: AbortSignal) =>
      fetch(`${proxies!.server.url}/llmhost/api/chat`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key.api_key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'llama:8b', messages: [{ role: 'user', content }] }),
        ...(signal && { signal }),
      })
    const leaving = new AbortController()
    const slow = await ask('/slow 2000', leaving.signal)
    await slow.body!.getReader().read()
    expect((await ask('Hello')).status).toBe(429)
    leaving.abort()
    const used = async () =>
      (
        await proxies!.get<{ name: string; today: { tokens: number } }[]>('/api/v1/auths/api_keys')
      ).body.find(({ name }) => name === 'capped')!.today.tokens
    await expect.poll(used).toBeGreaterThan(0)
    expect(await used()).toBeLessThan(1000)
    expect((await ask('Hello')).status).toBe(200)
  })

  it('are never read from the words of a model', () => {
    const line = JSON.stringify({
      response: '"eval_count": 999, "total_tokens": 999',
      prompt_eval_count: 3,
      eval_count: 4,
    })
    expect(readTokens(line)).toBe(7)
    expect(
      readTokens('data: {"usage":{"prompt_tokens":1,"total_tokens":5}}\n\ndata: [DONE]\n\n'),
    ).toBe(5)
    expect(readTokens('')).toBe(0)
  })
})

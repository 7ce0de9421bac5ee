import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'

let proxies: Proxies
beforeAll(async () => {
  proxies = await startProxies({
    runtimes: [
      {
        models: ['llama3.2:latest'],
        embeddingModels: ['embed:latest'],
        script: async () => ({ steps: [{ kind: 'content', text: 'Local.' }] }),
      },
    ],
    compatible: {
      models: ['llama3.2', 'embed', 'cloud'],
      script: async () => ({ steps: [{ kind: 'content', text: 'Remote.' }] }),
    },
  })
})
afterAll(() => proxies.close())

const messages = [{ role: 'user', content: 'Hi' }]
const CALLS: [string, object][] = [
  ['/chat/completions', { model: 'llama3.2', messages }],
  ['/messages', { model: 'llama3.2', messages, max_tokens: 9 }],
  ['/responses', { model: 'llama3.2', input: 'Hi' }],
  ['/completions', { model: 'llama3.2', prompt: 'Hi' }],
  ['/embeddings', { model: 'embed', input: 'Hi' }],
]

/** Returns the kind of connection that was asked for an answer. */
async function askedBy(path: string, body: object, token?: string): Promise<string> {
  const calls = () =>
    [proxies.runtimes[0]!, proxies.compatible].map(
      ({ requests }) => requests.filter(({ method }) => method === 'POST').length,
    )
  const before = calls()
  const { status } = await proxies.post(path, body, token)
  const [atRuntime, atRemote] = calls().map((count, place) => count - before[place]!)
  return `${status} ${atRuntime! > 0 ? 'runtime' : ''}${atRemote! > 0 ? 'remote' : ''}`.trim()
}

describe('A name without a tag, which a remote model has too', () => {
  it.each(CALLS)(
    'means the model of the runtimes below their addresses, at %s',
    async (path, body) => {
      expect(await askedBy(`/llmhost/v1${path}`, body)).toBe('200 runtime')
      expect(await askedBy(`/ollama/v1${path}`, body)).toBe('200 runtime')
    },
  )

  it.each(CALLS.filter(([path]) => path !== '/responses'))(
    'means the remote model everywhere else, at %s',
    async (path, body) => {
      expect(await askedBy(`/v1${path}`, body)).toBe('200 remote')
    },
  )

  it('leaves remote models with their callers where the runtime has none of the name', async () => {
    expect(await askedBy('/llmhost/v1/chat/completions', { model: 'cloud', messages })).toBe(
      '200 remote',
    )
  })

  it('opens no model to somebody who may not use it', async () => {
    const member = await proxies.addUser('Eve')
    const reply = await proxies.post<{ detail: string }>(
      '/llmhost/v1/chat/completions',
      { model: 'llama3.2', messages },
      member,
    )
    expect(reply).toMatchObject({ status: 400, body: { detail: 'Model not found: "llama3.2".' } })
  })
})

describe('A call handed to a provider', () => {
  it('carries the role of instructions every provider knows, and pictures of tools where it takes them', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const sent = [
      { role: 'developer', content: 'Be brief.' },
      ...messages,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'Seen' }, picture] },
    ]
    expect(
      (await proxies.post('/openai/chat/completions', { model: 'cloud', messages: sent })).status,
    ).toBe(200)
    const told = proxies.compatible.requests.at(-1)!.json!['messages'] as {
      role: string
      content: unknown
    }[]
    expect(told.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(told[3]!.content).toBe('Seen')
    expect(told[4]!.content).toContainEqual(picture)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeMessages } from '../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import type { Script } from '../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const script: Script = async () => ({ steps: [{ kind: 'content', text: 'Said.' }] })
let conversation: Conversation
let upstreams: FakeUpstream[]
beforeAll(async () => {
  upstreams = [
    await startFakeRuntime({ models: ['org/llama3.2:latest'], script }),
    await startFakeMessages({ models: ['vendor/one:free'], script }),
  ]
  conversation = await startConversation({
    upstream: { models: ['meta/llama-3:70b'], script },
    environment: { ENABLE_EVALUATION_ARENA_MODELS: 'true' },
  })
  const { server, token } = conversation
  const [runtime, messages] = upstreams
  for (const body of [
    { kind: 'runtime', name: 'Home', url: runtime!.url },
    { kind: 'messages', name: 'Native', url: messages!.url, key: 'native-key' },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
  const preset = {
    id: 'proof/reader',
    name: 'Reader',
    base_model_id: 'org/llama3.2',
    params: { system: 'Read.' },
    meta: {},
  }
  await server.call('POST', '/api/v1/models/create', { token, body: preset })
})
afterAll(async () => {
  await conversation.close()
  for (const upstream of upstreams) await upstream.close()
})

const text = 'Hello'
const messages = [{ role: 'user', content: text }]
/**
 * Each dialect: its path below every base URL, the request, and where the answer holds its text.
 */
const DIALECTS: Readonly<Record<string, { path: string; body: object; said: RegExp }>> = {
  'chat completions': {
    path: '/chat/completions',
    body: { messages },
    said: /"(?:content)":"([^"]+)/g,
  },
  messages: { path: '/messages', body: { messages, max_tokens: 9 }, said: /"text":"([^"]+)/g },
  responses: { path: '/responses', body: { input: text }, said: /"text":"([^"]+)/g },
  'text completions': { path: '/completions', body: { prompt: text }, said: /"text":"([^"]+)/g },
}
const BASES = ['/api/v1', '/v1', '/llmhost/v1', '/ollama/v1']

async function listed(): Promise<string[]> {
  const reply = await conversation.server.call('GET', '/v1/models', { token: conversation.token })
  return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
}

describe.each(Object.entries(DIALECTS))('The dialect %s', (_, { path, body, said }) => {
  test.each(BASES)(
    'is answered by every model of the list, whole and as a stream, below %s',
    async (base) => {
      const models = await listed()
      expect(models).toEqual(
        expect.arrayContaining([
          'meta/llama-3:70b',
          'org/llama3.2:latest',
          'vendor/one:free',
          'proof/reader',
          'guide',
        ]),
      )
      expect(models.length).toBeGreaterThan(5)
      // The guide is slow, in the same way on every path, so it is tested on one.
      const asked = [...models, 'org/llama3.2'].filter(
        (model) => model !== 'guide' || base === '/v1',
      )
      const kinds = asked.flatMap((model) => [false, true].map((stream) => ({ model, stream })))
      const answers = await Promise.all(
        kinds.map(async ({ model, stream }) => {
          const reply = await conversation.server.call('POST', base + path, {
            token: conversation.token,
            body: { ...body, model, stream },
          })
          const words = [...(await reply.text()).matchAll(said)].map(([, word]) => word).join('')
          const isStream = reply.headers.get('content-type')?.includes('text/event-stream')
          return {
            model,
            stream: isStream,
            status: reply.status,
            isSaid: (model === 'guide' ? /\w/ : /Said\./).test(words),
          }
        }),
      )
      expect(answers).toEqual(kinds.map((kind) => ({ ...kind, status: 200, isSaid: true })))
    },
  )
})

describe('A single model', () => {
  test.each([
    ['/api/models', 'meta/llama-3:70b'],
    ['/api/v1/models', 'vendor/one:free'],
    ['/v1/models', 'proof/reader'],
    ['/ollama/v1/models', 'org/llama3.2:latest'],
    ['/llmhost/v1/models', 'org/llama3.2:latest'],
    ['/openai/models', 'meta/llama-3:70b'],
  ])('is read at %s, as it is written and encoded', async (base, id) => {
    for (const place of [id, encodeURIComponent(id)]) {
      const reply = await conversation.server.call('GET', `${base}/${place}`, {
        token: conversation.token,
      })
      expect([place, reply.status, ((await reply.json()) as { id: string }).id]).toEqual([
        place,
        200,
        id,
      ])
    }
    const missing = await conversation.server.call('GET', `${base}/no/such`, {
      token: conversation.token,
    })
    expect([missing.status, await missing.json()]).toEqual([
      404,
      expect.objectContaining({
        error: expect.objectContaining({ code: 'model_not_found' }) as object,
      }),
    ])
  })

  test.each(['/api/models', '/v1/models', '/llmhost/v1/models', '/openai/models'])(
    'that is not at %s is told by its id, with the nearest one',
    async (base) => {
      const reply = await conversation.server.call('GET', `${base}/org/llama3.3:latest`, {
        token: conversation.token,
      })
      expect([reply.status, await reply.json()]).toEqual([
        404,
        expect.objectContaining({
          error: expect.objectContaining({
            message: expect.stringMatching(
              base === '/openai/models'
                ? /^Model not found: "org\/llama3.3:latest"\.$/
                : /^Model not found: "org\/llama3.3:latest"\. You may use "org\/llama3.2:latest"/,
            ) as string,
          }) as object,
        }),
      ])
    },
  )

  test('of the runtimes is read without its tag', async () => {
    for (const base of ['/api/models', '/v1/models', '/llmhost/v1/models']) {
      const reply = await conversation.server.call('GET', `${base}/org/llama3.2`, {
        token: conversation.token,
      })
      expect([base, reply.status]).toEqual([base, 200])
    }
  })
})

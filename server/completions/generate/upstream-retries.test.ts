import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../../testing/fake-upstream/script.ts'
import { playScenario } from '../../testing/fake-upstream/scenarios.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const failed = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { message: 'Not now.' } }),
})

const REPLIES: Record<string, Reply> = {
  limited: failed(429, { 'retry-after': '1' }),
  later: failed(503, { 'retry-after': '1' }),
  starting: failed(503),
  replaced: failed(502),
  crashed: failed(500),
  late: failed(504),
}

let conversation: Conversation
let client: OpenAI
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ENABLE_API_KEYS: 'true' },
    upstream: {
      models: ['text', ...Object.keys(REPLIES)],
      script: async (input) => REPLIES[input.model] ?? (await playScenario(input)),
    },
  })
  const response = await conversation.server.call('POST', '/api/v1/auths/api_key', {
    token: conversation.token,
  })
  const { api_key: apiKey } = (await response.json()) as { api_key: string }
  client = new OpenAI({ baseURL: `${conversation.server.url}/api`, apiKey })
})
afterAll(() => conversation.close())

const callsFor = (model: string): number =>
  conversation.upstream.requests.filter(({ json }) => json?.['model'] === model).length

test.concurrent.each([
  ['limited', 3, 429],
  ['later', 3, 503],
  ['crashed', 3, 500],
  ['late', 3, 504],
  ['starting', 6, 503],
  ['replaced', 6, 502],
])(
  'row R18: a provider that is %s gets %i calls for the three tries of the official SDK',
  async (model, calls, status) => {
    const ask = client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Hello' }],
    })
    await expect(ask).rejects.toMatchObject({ status: status === 500 ? 502 : status })
    expect(callsFor(model)).toBe(calls)
  },
)

test('one model that fails again and again keeps nobody from its neighbours, whole and streamed, stored and stateless', async () => {
  const messages = [{ role: 'user', content: 'Hello' }]
  for (let count = 0; count < 8; count += 1) {
    const chat = await conversation.createChat('Hello')
    const answers = await Promise.all([
      conversation.complete({ model: 'crashed', messages, stream: true }),
      conversation.complete({ model: 'crashed', messages, chat_id: chat.chat_id, id: chat.id }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([502, 502])
  }
  for (const stream of [true, false])
    expect((await conversation.complete({ model: 'text', messages, stream })).status).toBe(200)
})

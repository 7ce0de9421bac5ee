import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SdkAdapter } from './adapter.ts'
import { AiAdapter } from './ai-sdk.ts'
import { AnthropicAdapter } from './anthropic-sdk.ts'
import { ANSWER, PNG, TOOL_CALL } from './expected.ts'
import { LangchainAdapter } from './langchain-sdk.ts'
import { OllamaAdapter } from './ollama-sdk.ts'
import { OpenAiAdapter } from './openai-sdk.ts'
import { startWorld, type World } from './world.ts'

const ADAPTERS: Readonly<Record<string, (url: string, key: string) => SdkAdapter>> = {
  'openai at /api': (url, key) => new OpenAiAdapter(url, key, { place: '/api', prefix: '' }),
  'openai at /api/v1': (url, key) => new OpenAiAdapter(url, key, { place: '/api/v1', prefix: '' }),
  'openai at /openai': (url, key) => new OpenAiAdapter(url, key, { place: '/openai', prefix: '' }),
  'openai at /llmhost/v1': (url, key) =>
    new OpenAiAdapter(url, key, { place: '/llmhost/v1', prefix: 'local-' }),
  '@anthropic-ai/sdk': (url, key) => new AnthropicAdapter(url, key),
  ollama: (url, key) => new OllamaAdapter(url, key),
  'ai with @ai-sdk/openai-compatible': (url, key) => new AiAdapter(url, key),
  '@langchain/openai': (url, key) => new LangchainAdapter(url, key),
}

/** The SDKs that have a call for the list of models. */
const LISTING = Object.entries(ADAPTERS).filter(
  ([name]) => !name.startsWith('ai ') && !name.startsWith('@langchain'),
)

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

test.each(LISTING)('the unmodified %s lists the models', async (_, create) => {
  const sdk = create(world.url, world.key)
  expect(await sdk.list?.()).toContain(`${sdk.prefix}text`)
})

describe.each(Object.entries(ADAPTERS))('the unmodified %s', (_, create) => {
  let sdk: SdkAdapter
  let model: (scenario: string) => string
  beforeAll(() => {
    sdk = create(world.url, world.key)
    model = (scenario) => sdk.prefix + scenario
  })

  test('gets a whole answer', async () => {
    expect(await sdk.chat(model('text'))).toBe(ANSWER)
  })

  test('gets a stream in pieces, which are the whole answer', async () => {
    const pieces = await sdk.stream(model('text'))
    // Pieces of one network read may be delivered together.
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(ANSWER)
  })

  test('gets tool calls, whole and streamed', async () => {
    expect(await sdk.tools(model('tools'))).toEqual([TOOL_CALL])
    expect(await sdk.streamedTools(model('tools'))).toEqual([TOOL_CALL])
  })

  test('sends a picture', async () => {
    expect(await sdk.image(model('image'), PNG)).toContain(PNG.slice(0, 20))
  })

  test('reports errors with the status and the sentence of the gateway', async () => {
    const unknown = await sdk.fail('no-such-model', world.key)
    expect(unknown).toMatchObject({
      status: 400,
      message: expect.stringMatching(/not found/i) as string,
    })
    const refused = await sdk.fail(model('text'), 'sk-wrong')
    expect(refused.status).toBe(401)
    const busy = await sdk.fail(model('busy'), world.key)
    expect(busy.status).toBe(429)
  })

  test('cancels the upstream when it leaves', async () => {
    const upstream = world.upstreamOf(model('slow'))
    const before = upstream.aborts()
    await sdk.cancel(model('slow'))
    await expect.poll(() => upstream.aborts(), { timeout: 5000 }).toBe(before + 1)
  })
})

import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { startFakeMessages } from '../../../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../../testing/fake-upstream/fake-server.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../../testing/start-extended-conversation.ts'
import type { RequestFilters, StreamFilter } from '../../../extensions/filters.ts'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'

let conversation: Conversation
let native: FakeUpstream
let runtime: FakeUpstream
let key: string
beforeAll(async () => {
  native = await startFakeMessages({ key: 'native-key' })
  runtime = await startFakeRuntime()
  conversation = await startConversation({
    environment: { ENABLE_API_KEYS: 'true', ENABLE_REQUEST_LOG: 'true' },
  })
  const { server, token } = conversation
  for (const body of [
    { kind: 'messages', name: 'Native', url: native.url, key: 'native-key', prefix_id: 'native' },
    { kind: 'runtime', name: 'Runtime', url: runtime.url, prefix_id: 'home' },
  ]) {
    await server.call('POST', '/api/v1/connections', { token, body })
  }
  await server.call('GET', '/api/models?refresh=true', { token })
  const issued = await server.call('POST', '/api/v1/auths/api_key', { token })
  key = ((await issued.json()) as { api_key: string }).api_key
})
afterAll(async () => {
  await conversation.close()
  await native.close()
  await runtime.close()
})

const connect = (base = '/v1') =>
  new OpenAI({ baseURL: conversation.server.url + base, apiKey: key, maxRetries: 0 })
type Asked = Partial<OpenAI.CompletionCreateParamsNonStreaming> & { model: string }
const ask = (asked: Asked, base?: string) =>
  connect(base).completions.create({ prompt: 'Once upon a time', ...asked })
async function askForStream(asked: Omit<Asked, 'stream'>, base?: string) {
  const stream = await connect(base).completions.create({
    prompt: 'Once upon a time',
    ...asked,
    stream: true,
  })
  const [texts, finishes]: [string[], (string | null)[]] = [[], []]
  let usage: OpenAI.CompletionUsage | undefined
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage
    for (const { index, text, finish_reason: finish } of chunk.choices) {
      texts[index] = (texts[index] ?? '') + text
      finishes[index] = finish
    }
  }
  return { texts, finishes, usage }
}
const texts = ({ choices }: OpenAI.Completion) =>
  choices.toSorted((one, other) => one.index - other.index).map(({ text }) => text)
const lastOf = (upstream: FakeUpstream) =>
  upstream.requests.findLast(({ method }) => method === 'POST')!
const MODELS = ['echo', 'home.echo', 'native.echo']

describe.each(['/api', '/api/v1', '/v1', '/openai', '/ollama/v1', '/llmhost/v1'])(
  'Below %s text is completed',
  (base) => {
    test('whole and as a stream, by a provider, a runtime and a provider of messages', async () => {
      for (const model of MODELS) {
        const whole = await ask({ model }, base)
        expect(whole).toMatchObject({
          object: 'text_completion',
          choices: [{ index: 0, text: 'Once upon a time', finish_reason: 'stop' }],
        })
        expect(await askForStream({ model }, base)).toMatchObject({
          texts: ['Once upon a time'],
          finishes: ['stop'],
        })
      }
    })
  },
)

describe('What is asked', () => {
  test('reaches a provider as it came, with prompts as tokens and a suffix', async () => {
    await ask({
      model: 'echo',
      prompt: [1, 2, 3],
      suffix: 'The end.',
      best_of: 3,
      logprobs: 2,
      max_tokens: 9,
    })
    expect(lastOf(conversation.upstream)).toMatchObject({
      path: '/v1/completions',
      json: {
        model: 'echo',
        prompt: [1, 2, 3],
        suffix: 'The end.',
        best_of: 3,
        logprobs: 2,
        max_tokens: 9,
        stream: false,
      },
    })
  })
  test('reaches a runtime in the same words, one prompt at a time', async () => {
    const before = runtime.requests.length
    const answer = await ask({
      model: 'home.echo',
      prompt: ['One', 'Two'],
      n: 2,
      suffix: 'The end.',
      max_tokens: 9,
    })
    expect(texts(answer)).toEqual(['One', 'One', 'Two', 'Two'])
    expect(answer.usage).toMatchObject({ total_tokens: 72 })
    const bodies = runtime.requests.slice(before).map(({ path, json }) => [path, json])
    expect(bodies).toHaveLength(4)
    expect(bodies[2]).toEqual([
      '/v1/completions',
      { model: 'echo', prompt: 'Two', suffix: 'The end.', max_tokens: 9, stream: false },
    ])
  })
  test('is a conversation of one message for a provider of messages', async () => {
    const streamed = await askForStream({
      model: 'native.echo',
      prompt: ['One', 'Two'],
      max_tokens: 9,
      stop: ['x'],
    })
    expect(streamed).toMatchObject({ texts: ['One', 'Two'], finishes: ['stop', 'stop'] })
    expect(lastOf(native).json).toMatchObject({
      max_tokens: 9,
      stop_sequences: ['x'],
      messages: [{ role: 'user' }],
    })
  })
})

describe('One answer for each prompt', () => {
  test.each(MODELS)(
    'comes from %s in order, with its prompt in front where that is asked for',
    async (model) => {
      const asked = { model, prompt: ['One', 'Two'], n: 2, echo: true }
      expect(texts(await ask(asked))).toEqual(['OneOne', 'OneOne', 'TwoTwo', 'TwoTwo'])
      const { texts: streamed, usage } = await askForStream({
        ...asked,
        stream_options: { include_usage: true },
      })
      expect(streamed).toEqual(['OneOne', 'OneOne', 'TwoTwo', 'TwoTwo'])
      expect(usage?.total_tokens).toBeGreaterThan(0)
      expect((await askForStream(asked)).usage).toBeUndefined()
    },
  )
})

describe('What cannot be done', () => {
  test.each([
    ['home.echo', { prompt: [1, 2] }, 'prompt'],
    ['native.echo', { prompt: [[1, 2]] }, 'prompt'],
    ['native.echo', { suffix: 'The end.' }, 'suffix'],
    ['home.echo', { best_of: 2 }, 'best_of'],
    ['home.echo', { n: 128, prompt: ['One', 'Two'] }, 'prompt'],
    ['echo', { prompt: [] }, 'prompt'],
  ])('is refused by its name: %s %j', async (model, more, param) => {
    await expect(ask({ model, ...more })).rejects.toMatchObject({ status: 400, param })
  })
  test('is an unknown model, in the words of all dialects, and a wrong key', async () => {
    await expect(ask({ model: 'ecko' })).rejects.toMatchObject({
      status: 400,
      code: 'model_not_found',
      message: expect.stringContaining('echo'),
    })
    const wrong = new OpenAI({
      baseURL: `${conversation.server.url}/v1`,
      apiKey: 'sk-wrong',
      maxRetries: 0,
    })
    await expect(wrong.completions.create({ model: 'echo', prompt: 'x' })).rejects.toMatchObject({
      status: 401,
    })
  })
  test.each(MODELS)('is an answer that breaks off, which is never an end: %s', async (model) => {
    await expect(askForStream({ model, prompt: '/cut' })).rejects.toMatchObject({
      code: expect.stringMatching(/^upstream_/),
    })
    await expect(ask({ model, prompt: '/cut' })).rejects.toMatchObject({ status: 502 })
  })
  test('is an answer of which one choice alone has ended', async () => {
    const cut = askForStream({ model: 'echo', prompt: ['One', '/cut'] })
    await expect(cut).rejects.toMatchObject({ code: expect.stringMatching(/^upstream_/) })
  })
  test('is told as the provider says it', async () => {
    await expect(ask({ model: 'echo', prompt: '/error 429' })).rejects.toMatchObject({
      status: 429,
    })
    await expect(askForStream({ model: 'home.echo', prompt: '/error 400' })).rejects.toMatchObject({
      status: 400,
    })
  })
})

test('Models without an upstream complete text as an answer to it', async () => {
  const whole = await ask({ model: 'guide' })
  expect(whole.choices[0]!.text.length).toBeGreaterThan(10)
  expect((await askForStream({ model: 'guide' })).texts[0]).toBe(whole.choices[0]!.text)
})

test('The caller who leaves ends the upstream', async () => {
  const aborts = conversation.upstream.aborts()
  const stream = await connect().completions.create({ model: 'slow', prompt: 'x', stream: true })
  for await (const chunk of stream) if (chunk.choices[0]?.text) stream.controller.abort()
  await expect.poll(() => conversation.upstream.aborts()).toBe(aborts + 1)
})

test('The request log has the call with its model and tokens', async () => {
  const seen = await ask({ model: 'echo' }).withResponse()
  const id = seen.response.headers.get('x-request-id')!
  const record = await conversation.server.call('GET', `/api/v1/requests/${id}`, {
    token: conversation.token,
  })
  expect(await record.json()).toMatchObject({
    endpoint: 'textCompletions.create',
    model: 'echo',
    usage: { total_tokens: 18 },
  })
})

test('Tokens of a key with a daily cap are counted, whoever completes the text', async () => {
  await conversation.server.context.settings.update({ ENABLE_API_KEY_LIMITS: true })
  const list = '/api/v1/auths/api_keys'
  const { token, server } = conversation
  const made = await server.call('POST', list, {
    token,
    body: { name: 'capped', daily_tokens: 1000 },
  })
  const capped = (await made.json()) as { api_key: string; id: string }
  const used = async () => {
    const rows = (await (await server.call('GET', list, { token })).json()) as {
      id: string
      today: { tokens: number }
    }[]
    return rows.find(({ id }) => id === capped.id)!.today.tokens
  }
  for (const [place, model] of MODELS.entries()) {
    for (const stream of [true, false]) {
      const reply = await server.call('POST', '/v1/completions', {
        token: capped.api_key,
        body: { model, prompt: 'x', stream },
      })
      expect(reply.status).toBe(200)
      await reply.text()
      expect(await used()).toBe(18 * (place * 2 + (stream ? 1 : 2)))
    }
  }
})

describe('Filters', () => {
  let filters: RequestFilters
  let extended: ExtendedConversation
  let closed = 0
  beforeAll(async () => {
    extended = await startExtendedConversation(() => ({ filters: () => filters }))
  })
  afterAll(() => extended.close())
  const complete = async (body: object) => {
    const reply = await extended.call('/v1/completions', { model: 'echo', ...body })
    return ((await reply.json()) as OpenAI.Completion).choices.map(({ text }) => text)
  }
  const redact = (request: ChatCompletionRequest) => {
    const content = String(request.messages[0]!['content']).replace('secret', '[redacted]')
    return Promise.resolve({ ...request, messages: [{ role: 'user', content }] })
  }

  test('see each prompt, which still goes to the provider as text', async () => {
    filters = { inlets: [redact], stream: [] }
    expect(await complete({ prompt: ['my secret', 'nothing'], suffix: 'end' })).toEqual([
      'my [redacted]',
      'nothing',
    ])
    expect(lastOf(extended.upstream)).toMatchObject({
      path: '/v1/completions',
      json: { prompt: 'nothing', suffix: 'end' },
    })
  })
  test('see the answer, which is one to a conversation then, and are closed once', async () => {
    const shout: StreamFilter = (chunk) => {
      for (const { delta } of chunk.choices)
        if (delta.content) delta.content = delta.content.toUpperCase()
      return chunk
    }
    filters = { inlets: [], stream: [shout], close: () => (closed += 1) }
    expect(await complete({ prompt: 'one two', n: 2 })).toEqual(['ONE TWO', 'ONE TWO'])
    expect(closed).toBe(2)
    expect(
      (await extended.call('/v1/completions', { model: 'echo', prompt: 'x', suffix: 'end' }))
        .status,
    ).toBe(400)
    expect(closed).toBe(3)
  })
  test('cannot be passed by with tokens', async () => {
    filters = { inlets: [redact], stream: [] }
    expect((await extended.call('/v1/completions', { model: 'echo', prompt: [1, 2] })).status).toBe(
      400,
    )
  })
})

import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  reply,
  startFakeServer,
  type Exchange,
  type FakeUpstream,
} from '../../../testing/fake-upstream/fake-server.ts'
import { startTestServer, type TestServer } from '../../../testing/start-server.ts'

const ANSWER = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'big',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
}
const event = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const EVENTS = [
  event('response.created', { sequence_number: 0, response: { ...ANSWER, status: 'in_progress' } }),
  event('response.output_text.delta', {
    sequence_number: 1,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'Hi',
  }),
  event('response.web_search_call.searching', {
    sequence_number: 2,
    item_id: 'ws_1',
    output_index: 1,
  }),
  event('response.completed', { sequence_number: 3, response: ANSWER }),
]

let provider: FakeUpstream
let server: TestServer
let token: string
/** Reply of the provider to calls in the responses format. */
let play: (exchange: Exchange) => unknown
const answers: typeof play = ({ recorded, response }) => {
  if (!recorded.json?.['stream']) return reply(response, 200, ANSWER)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response.end(EVENTS.join(''))
}
const sends =
  (status: number, body: unknown): typeof play =>
  ({ response }) =>
    reply(response, status, body)

function handle(exchange: Exchange): unknown {
  const { recorded, response } = exchange
  if (recorded.path === '/v1/models')
    return reply(response, 200, {
      object: 'list',
      data: [{ id: 'big', object: 'model', created: 1, owned_by: 'x' }],
    })
  if (recorded.path === '/v1/responses') return play(exchange)
  const message = { role: 'assistant', content: 'Through chat completions.' }
  return reply(response, 200, {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'big',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  })
}

beforeAll(async () => {
  provider = await startFakeServer('/v1', handle)
  server = await startTestServer({
    environment: { OPENAI_API_BASE_URLS: provider.url, OPENAI_API_KEYS: 'sk-provider' },
  })
  token = await server.signUp('Ada')
  await server.call('GET', '/api/models?refresh=true', { token })
  play = answers
})
afterEach(() => {
  play = answers
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const post = (body: object, caller = token) =>
  server.call('POST', '/openai/responses', {
    token: caller,
    body: { model: 'big', input: 'Hi', ...body },
  })
const last = () => provider.requests.at(-1)!

describe('A provider that speaks the responses format', () => {
  test('gets calls as they came, with the tools it runs itself and what it stored, and its answer comes back as it is', async () => {
    const asked = {
      tools: [
        { type: 'web_search' },
        { type: 'mcp', server_label: 'x', server_url: 'https://x.example' },
      ],
      previous_response_id: 'resp_0',
    }
    const response = await post(asked)
    expect([response.status, await response.json()]).toEqual([200, ANSWER])
    expect(last()).toMatchObject({
      path: '/v1/responses',
      json: { model: 'big', input: 'Hi', ...asked },
    })
    expect(last().headers['authorization']).toBe('Bearer sk-provider')
  })

  test('opens documents at an address itself', async () => {
    const file = { type: 'input_file', file_url: 'https://elsewhere.example/a.pdf' }
    const input = [{ role: 'user', content: [file] }]
    expect((await post({ input })).status).toBe(200)
    expect(last()).toMatchObject({ path: '/v1/responses', json: { input } })
  })

  test('streams to its own SDK, events that only it knows included', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/openai`, apiKey: token, maxRetries: 0 })
    const types: string[] = []
    for await (const each of await client.responses.create({
      model: 'big',
      input: 'Hi',
      stream: true,
    }))
      types.push(each.type)
    expect(types).toEqual([
      'response.created',
      'response.output_text.delta',
      'response.web_search_call.searching',
      'response.completed',
    ])
  })

  test.each([
    ['is closed', (response: Exchange['response']) => response.end()],
    ['is cut', (response: Exchange['response']) => response.destroy()],
  ])('a stream that %s before its end says so', async (_, end) => {
    play = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(EVENTS.slice(0, 2).join(''), () => setTimeout(() => end(response), 20))
    }
    const text = await (await post({ stream: true })).text()
    expect(text).toContain('"delta":"Hi"')
    const ending = /event: response\.failed\ndata: (.*)\n\n$/.exec(text)?.[1]
    expect(JSON.parse(ending ?? 'null')).toMatchObject({
      sequence_number: 2,
      response: {
        id: 'resp_1',
        status: 'failed',
        error: { message: expect.any(String) as string },
      },
    })
  })

  test('says what it refuses in its own words', async () => {
    const error = {
      message: 'Previous response not found.',
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    }
    play = sends(400, { error })
    const response = await post({ previous_response_id: 'resp_9' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error })
    play = sends(404, { error: { ...error, code: 'model_not_found' } })
    expect((await post({})).status).toBe(400)
  })

  test('an answer that is none is a fault', async () => {
    play = sends(200, { hello: 1 })
    expect((await post({})).status).toBe(502)
  })

  test('is not asked by who may not use the model', async () => {
    const account = {
      name: 'Eve',
      email: 'eve@example.com',
      password: 'correct horse battery',
      role: 'user',
    }
    const added = await server.call('POST', '/api/v1/auths/add', { token, body: account })
    const count = provider.requests.length
    expect((await post({}, ((await added.json()) as { token: string }).token)).status).toBe(400)
    expect(provider.requests).toHaveLength(count)
  })

  test('is not asked past a preset, whose instructions would be lost', async () => {
    const preset = {
      id: 'tutor',
      base_model_id: 'big',
      name: 'Tutor',
      meta: {},
      params: { system: 'Teach.' },
    }
    await server.call('POST', '/api/v1/models/create', { token, body: preset })
    expect((await post({ model: 'tutor' })).status).toBe(200)
    expect(last()).toMatchObject({
      path: '/v1/chat/completions',
      json: { messages: [{ role: 'system', content: 'Teach.' }, {}] },
    })
    expect((await post({ model: 'tutor', previous_response_id: 'resp_0' })).status).toBe(400)
  })
})

test.each([
  ['404 without a code', sends(404, { detail: 'Not Found' })],
  ['unknown_url', sends(404, { error: { message: 'Unknown request URL.', code: 'unknown_url' } })],
  ['405', sends(405, { detail: 'Method Not Allowed' })],
])(
  'a provider without the path (%s) is asked through chat completions, and not for the path again',
  async (_, missing) => {
    play = missing
    // Another URL of the same provider, of which nothing is known yet.
    const connection = {
      kind: 'compatible',
      name: 'Old',
      url: `${provider.url}/`,
      prefix_id: `old${_.slice(0, 3)}`,
      headers: { 'x-old': _ },
    }
    await server.call('POST', '/api/v1/connections', { token, body: connection })
    await server.call('GET', '/api/models?refresh=true', { token })
    const model = `old${_.slice(0, 3)}.big`
    const response = await post({ model })
    expect(await response.json()).toMatchObject({
      object: 'response',
      output: [{ content: [{ text: 'Through chat completions.' }] }],
    })
    const count = provider.requests.length
    expect((await post({ model })).status).toBe(200)
    expect(provider.requests.slice(count).map(({ path }) => path)).toEqual(['/v1/chat/completions'])
    expect((await post({ model, previous_response_id: 'resp_0' })).status).toBe(400)
    const file = { type: 'input_file', file_url: 'https://elsewhere.example/a.pdf' }
    const linked = await post({ model, input: [{ role: 'user', content: [file] }] })
    expect(await linked.json()).toMatchObject({ error: { code: 'document_unreadable' } })
  },
)

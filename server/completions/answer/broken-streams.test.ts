import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Reply, Step } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from '../../testing/start-extended-conversation.ts'
import type { RequestFilters } from '../../extensions/filters.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'

const toEvent = (delta: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
const TEXT = toEvent({ content: 'Partial' })
const CALL = toEvent({
  tool_calls: [
    { index: 0, id: 'call_1', type: 'function', function: { name: 'buy', arguments: '{"a":1}' } },
  ],
})
const DEEP = '['.repeat(50_000) + ']'.repeat(50_000)
const HALF = 'data: {"choices":[{"index":0,"delta":{"content":"lost'

/** An answer whose last chunk is followed by a proper end, and one whose connection is closed. */
const ended = (...events: string[]): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: events.join(''),
})
const cut = (...events: string[]): Reply => ({
  steps: [...events.map((bytes): Step => ({ kind: 'raw', bytes })), { kind: 'cut' }],
})
const BREAKS = [
  ['a proper end without a finish reason', ended(TEXT)],
  ['a proper end in the middle of an event', ended(TEXT, HALF)],
  ['a closed connection', cut(TEXT)],
  [
    'an event that cannot be read',
    ended(
      TEXT,
      'data: {"choices":[{"index":0,"delta":{"content":"a"b"}}]}\n\n',
      toEvent({}),
      'data: [DONE]\n\n',
    ),
  ],
  [
    'an error as its reason',
    ended(
      TEXT,
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\n',
      'data: [DONE]\n\n',
    ),
  ],
  [
    'an event that is nested too deeply',
    ended(
      TEXT,
      `data: {"choices":[{"index":0,"delta":{"content":"a","x":${DEEP}}}]}\n\n`,
      toEvent({}),
      'data: [DONE]\n\n',
    ),
  ],
  [
    'an event that is too long',
    ended(TEXT, toEvent({ content: 'x'.repeat(13 * 1024 * 1024) }), 'data: [DONE]\n\n'),
  ],
  [
    'an error that only its name tells',
    ended(TEXT, 'event: error\ndata: {"message":"overloaded"}\n\n', 'data: [DONE]\n\n'),
  ],
] as const

let reply: Reply
let filters: RequestFilters | null
let belt: ToolBelt | null
let called: number
let conversation: ExtendedConversation
let apiKey: string

beforeAll(async () => {
  conversation = await startExtendedConversation(
    () => ({ filters: () => filters, tools: () => belt }),
    {
      upstream: { models: ['text'], script: async () => reply },
      environment: { ENABLE_API_KEYS: 'true' },
    },
  )
  const response = await conversation.server.call('POST', '/api/v1/auths/api_key', {
    token: conversation.token,
  })
  apiKey = ((await response.json()) as { api_key: string }).api_key
})
afterAll(() => conversation.close())
beforeEach(() => {
  filters = null
  belt = null
  called = 0
})

const messages = [{ role: 'user' as const, content: 'Hello' }]
const body = (more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages,
  stream: true,
  ...more,
})
const passing = (): RequestFilters => ({ inlets: [], stream: [(chunk) => chunk] })

/** Error messages for a broken answer, from the gateway or from the provider itself. */
const SAID =
  /ended its answer before|was interrupted|cannot be read|overloaded|with an error|more than the gateway accepts/

/** Returns the error in the last event before the end mark. */
function errorOf(text: string): { message?: string; code?: string } | undefined {
  const events = text
    .split('\n')
    .flatMap((line) =>
      line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as Fields] : [],
    )
  const last = events.at(-1)!
  return (last.error ?? last.response?.error) as { message?: string; code?: string } | undefined
}
interface Fields {
  readonly error?: object
  readonly response?: { readonly error?: object }
}

describe.each(BREAKS)('An answer that ends with %s', (_, broken) => {
  beforeEach(() => {
    reply = broken
  })

  test.each([false, true])(
    'ends with an error frame and [DONE] for a stateless caller, with a filter: %s',
    async (isFiltered) => {
      if (isFiltered) filters = passing()
      const text = await (await conversation.complete(body())).text()
      expect(text).toContain('Partial')
      expect(text).not.toContain('lost')
      expect(errorOf(text)?.message).toMatch(SAID)
      expect(text.match(/\[DONE\]/g)).toHaveLength(1)
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    },
  )

  test('is kept with its error in a chat, and says so to the reader of the stream', async () => {
    const chat = await conversation.createChat('Hello')
    const text = await (
      await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id }))
    ).text()
    expect(errorOf(text)?.message).toMatch(SAID)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await conversation.finished(chat)).toMatchObject({
      content: 'Partial',
      done: true,
      error: { content: expect.any(String) as string },
    })
  })

  test.each([
    ['/api/v1/messages', 'event: error'],
    ['/openai/responses', 'event: response.failed'],
  ])('ends with an error event in %s', async (target, event) => {
    for (const more of [null, passing()]) {
      filters = more
      const text = await (
        await conversation.call(
          target,
          body({ max_tokens: 9, ...(target.endsWith('responses') && { input: 'x' }) }),
        )
      ).text()
      expect(text).toContain('Partial')
      expect(text).toContain(event)
      expect(text).not.toMatch(/message_stop|response\.completed|lost/)
      expect(errorOf(text)?.message).toMatch(SAID)
    }
  })

  test('makes plain loops of the official SDKs throw', async () => {
    const openai = new OpenAI({ baseURL: `${conversation.server.url}/api`, apiKey, maxRetries: 0 })
    const anthropic = new Anthropic({
      baseURL: `${conversation.server.url}/api`,
      apiKey,
      maxRetries: 0,
    })
    const loops: (() => Promise<AsyncIterable<unknown>>)[] = [
      async () => openai.chat.completions.create({ model: 'text', messages, stream: true }),
      async () =>
        anthropic.messages.create({ model: 'text', max_tokens: 9, messages, stream: true }),
    ]
    for (const open of loops) {
      const loop = async () => {
        for await (const _ of await open());
      }
      await expect(loop()).rejects.toThrow(SAID)
    }
    const collected = openai.responses.stream({ model: 'text', input: 'x' })
    const events: string[] = []
    await (async () => {
      for await (const event of collected) events.push(event.type)
    })().catch(() => undefined)
    expect(events).not.toContain('response.completed')
  })
})

test.each([ended(CALL), cut(CALL)])(
  'A tool call of an answer that breaks is never run',
  async (broken) => {
    reply = broken
    belt = {
      specs: [
        { name: 'buy', description: 'Buys.', parameters: { type: 'object', properties: {} } },
      ],
      originOf: (name) => `shop/${name}`,
      isParallel: () => false,
      async call() {
        called += 1
        return { text: 'bought' }
      },
    }
    const chat = await conversation.createChat('Hello')
    for (const more of [{}, { chat_id: chat.chat_id, id: chat.id }]) {
      const text = await (await conversation.complete(body({ tool_ids: ['shop'], ...more }))).text()
      expect(text).toMatch(SAID)
    }
    expect(called).toBe(0)
  },
)

test('A stored answer that comes in one go reaches a caller who reads it, however long it is', async () => {
  const long = 'word '.repeat(500_000)
  reply = ended(toEvent({ content: long }), toEvent({ content: 'the end' }), 'data: [DONE]\n\n')
  const chat = await conversation.createChat('Hello')
  const text = await (
    await conversation.complete(body({ chat_id: chat.chat_id, id: chat.id }))
  ).text()
  expect(text.length).toBeGreaterThan(long.length)
  expect(text).toMatch(/the end[\s\S]*data: \[DONE\]\n\n$/)
  expect((await conversation.finished(chat)).content).toBe(`${long}the end`)
})

describe('A provider that fails after the first keep-alive', () => {
  let provider: Server
  let gateway: Conversation
  let waiting: ServerResponse[] = []
  beforeAll(async () => {
    provider = createServer((request, response) => {
      if (request.method === 'GET')
        return void response.end(
          JSON.stringify({ object: 'list', data: [{ id: 'text', object: 'model' }] }),
        )
      if (request.url === '/v1/responses')
        return void request.resume().once('end', () => response.writeHead(404).end())
      request.resume().once('end', () => void waiting.push(response))
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
    gateway = await startConversation({ environment: { OPENAI_API_BASE_URLS: url } })
  })
  afterAll(async () => {
    vi.useRealTimers()
    provider.closeAllConnections()
    provider.close()
    await gateway.close()
  })

  test.each([
    ['/api/v1/messages', 'event: error'],
    ['/openai/responses', 'event: response.failed'],
    ['/api/completions', 'data: [DONE]'],
  ])('is told in an event of %s instead of a cut connection', async (target, event) => {
    waiting = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const asked = body({ max_tokens: 9, ...(target.endsWith('responses') && { input: 'x' }) })
    const answering = gateway.server.call('POST', target, { token: gateway.token, body: asked })
    await vi.waitUntil(() => waiting.length === 1)
    vi.advanceTimersByTime(15_000)
    vi.useRealTimers()
    const answer = await answering
    expect(answer.status).toBe(200)
    for (const response of waiting)
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Too long."}}')
    const text = await answer.text()
    expect(text).toContain(event)
    expect(errorOf(text)?.message).toBe('Too long.')
  })
})

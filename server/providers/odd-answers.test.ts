import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendError } from '../lib/http.ts'
import { createLogger } from '../lib/logger.ts'
import { createTestUpstream } from '../testing/create-test-upstream.ts'
import { hear } from '../testing/provider-conformance.ts'
import { createCompatibleProvider } from './compatible/index.ts'
import { createMessagesProvider } from './messages/index.ts'
import type { Provider } from './provider.ts'
import type { Upstream } from './upstream/upstream.ts'
import type { Fields } from '../lib/is-record.ts'

const EVENTS_TYPE = 'text/event-stream'
const log = createLogger('silent')

let sent: { body: string; type: string }
let provider: Server
let gateway: Server
let upstream: Upstream
let compatible: Provider
let messages: Provider
const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  provider = createServer((request, response) => {
    request
      .resume()
      .once('end', () => response.writeHead(200, { 'content-type': sent.type }).end(sent.body))
  })
  gateway = createServer((request, response) => {
    const [, format, kind] = request.url!.split('/')
    const call = {
      body: Buffer.from('{}'),
      stream: kind === 'stream',
      response,
      signal: new AbortController().signal,
      headers: {},
    }
    const relay = (): Promise<unknown> => {
      if (format === 'chat') return compatible.relay!(call)
      return format === 'messages'
        ? messages.messages!.relay(call)
        : compatible.responses!.relay(call)
    }
    request
      .resume()
      .once(
        'end',
        () =>
          void relay().catch((error: unknown) =>
            sendError(response, error, { log, dialect: 'chat-completions' }),
          ),
      )
  })
  for (const server of [provider, gateway]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  upstream = createTestUpstream(addressOf(provider))
  const options = { connectionId: 'test', name: 'Test', type: 'external', upstream } as const
  compatible = createCompatibleProvider(options)
  messages = createMessagesProvider(options)
})
afterAll(async () => {
  await upstream.close()
  for (const server of [provider, gateway]) {
    server.closeAllConnections()
    server.close()
  }
})

type Format = 'chat' | 'messages' | 'responses'

async function ask(
  format: Format,
  kind: 'stream' | 'whole',
  body: string,
): Promise<{ status: number; text: string; bytes: Buffer }> {
  sent = { body, type: kind === 'stream' ? EVENTS_TYPE : 'application/json' }
  const reply = await fetch(`${addressOf(gateway)}/${format}/${kind}`, {
    method: 'POST',
    body: '{}',
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  return { status: reply.status, text: bytes.toString(), bytes }
}

const toEvents = (...values: readonly unknown[]): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
const chunk = (delta: Fields, finish: string | null = null): Fields => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const END = `${toEvents(chunk({}, 'stop'))}data: [DONE]\n\n`
const readEvents = (text: string): Fields[] =>
  text
    .split('\n')
    .flatMap((line) =>
      line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as Fields] : [],
    )

describe('A chunk that plain loops of SDKs would stumble over', () => {
  it.each([
    [
      'choices that are null',
      { choices: null, usage: { total_tokens: 3 } },
      { choices: [], usage: { total_tokens: 3 } },
    ],
    ['no choices at all', { type: 'ping' }, { type: 'ping', choices: [] }],
    [
      'no place',
      { choices: [{ delta: { content: 'text' } }] },
      { choices: [{ index: 0, delta: { content: 'text' } }] },
    ],
    [
      'a place as text',
      { choices: [{ index: '0', delta: { content: 'text' } }] },
      { choices: [{ index: 0, delta: { content: 'text' } }] },
    ],
    [
      'a call that is null',
      chunk({ tool_calls: [null] }),
      { choices: [{ delta: { tool_calls: [] } }] },
    ],
    [
      'a call without a place and with arguments as an object',
      chunk({ tool_calls: [{ id: 'x', function: { name: 'f', arguments: { a: 1 } } }] }),
      {
        choices: [
          {
            delta: {
              tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{"a":1}' } }],
            },
          },
        ],
      },
    ],
  ])('because it has %s is written as they read it', async (_, value, written) => {
    const { text } = await ask('chat', 'stream', toEvents(value) + END)
    expect(readEvents(text)[0]).toMatchObject(written)
    expect(text.endsWith(END)).toBe(true)
  })

  it('is left alone where it is a piece of a call as they read it', async () => {
    const calls = toEvents(
      chunk({
        tool_calls: [
          { index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '' } },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
      chunk({
        tool_calls: [{ index: 1, id: 'y', type: 'custom', custom: { name: 'g', input: 'text' } }],
      }),
    )
    expect((await ask('chat', 'stream', calls + END)).text).toBe(calls + END)
  })
})

const whole = (choice: unknown, ...others: readonly unknown[]): string =>
  JSON.stringify({ id: 'a', choices: [choice, ...others] })
const answer = (message: Fields, finish = 'stop'): Fields => ({
  index: 0,
  message: { role: 'assistant', ...message },
  finish_reason: finish,
})
const ANSWER = whole(answer({ content: 'text' }))
const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)
const LONG = 'x'.repeat(2_500_000)

describe('A whole answer', () => {
  it.each([
    ['an object as its text', whole(answer({ content: { text: 'text' } })), { content: 'text' }],
    ['a number as its text', whole(answer({ content: 7 })), { content: '7' }],
    [
      'a choice that is null before the real one',
      whole(null, answer({ content: 'text' })),
      { content: 'text' },
    ],
    [
      'a call that is null',
      whole(answer({ content: 'text', tool_calls: [null] })),
      { content: 'text', tool_calls: [] },
    ],
    [
      'arguments as an object',
      whole(
        answer({
          content: null,
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: { a: 1 } } }],
        }),
      ),
      { tool_calls: [{ id: 'x', function: { name: 'f', arguments: '{"a":1}' } }] },
    ],
    [
      'a call without a function',
      whole(answer({ content: null, tool_calls: [{ id: 'x', type: 'function' }] })),
      { tool_calls: [{ id: 'x', function: { name: '', arguments: '' } }] },
    ],
  ])('with %s is written as SDKs read it', async (_, body, message) => {
    const { status, text } = await ask('chat', 'whole', body)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ id: 'a', choices: [{ message }] })
  })

  it('comes byte for byte without the mark in front of it, also one with a call of a tool of another kind', async () => {
    const custom = whole(
      answer({
        content: null,
        tool_calls: [{ id: 'x', type: 'custom', custom: { name: 'f', input: 'text' } }],
      }),
    )
    for (const body of [ANSWER, custom])
      expect((await ask('chat', 'whole', `\uFEFF${body}`)).bytes).toEqual(Buffer.from(body))
  })

  it.each([
    [
      'a choice without a message',
      whole({ index: 0, finish_reason: 'stop' }),
      'upstream_incomplete',
    ],
    ['an error as its reason', whole(answer({ content: '' }, 'error')), 'upstream_failed'],
    [
      'a field that is nested too deeply',
      ANSWER.replace('{', `{"x":${DEEP},`),
      'upstream_incomplete',
    ],
    [
      'a field that is nested too deeply and a comma behind the last one',
      ANSWER.replace(/}$/, `,"x":${DEEP},}`),
      'upstream_incomplete',
    ],
    ['an error that is nested too deeply', `{"error":${DEEP}}`, 'upstream_incomplete'],
    [
      'long JSON that is none',
      ANSWER.replace(/}$/, `,"x":"${LONG}","y":NaN,,}`),
      'upstream_incomplete',
    ],
    ['a long error', `{"x":"${LONG}","error":{"message":"No credit."}}`, 'upstream_failed'],
    ['a long object without an answer', `{"x":"${LONG}"}`, 'upstream_incomplete'],
  ])('that is or holds %s is told with a status and a sentence', async (_, body, code) => {
    const { status, text } = await ask('chat', 'whole', body)
    expect(status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({
      error: { code, message: expect.any(String) as string },
    })
    const call = { model: 'm', body: { messages: [] }, signal: new AbortController().signal }
    await expect(compatible.complete(call)).rejects.toMatchObject({ status: 502, code })
  })

  it('that is long comes byte for byte, and is refused where SDKs would find no answer in it', async () => {
    const body = whole(answer({ content: LONG }))
    expect((await ask('chat', 'whole', body)).bytes.equals(Buffer.from(body))).toBe(true)
    for (const format of ['messages', 'responses'] as const)
      expect((await ask(format, 'whole', body)).status).toBe(502)
  })
})

const START = `event: message_start\n${toEvents({ type: 'message_start', message: { id: 'a', content: [] } })}`
const TEXT = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'text' } }
const STOP = `event: message_delta\n${toEvents({ type: 'message_delta', delta: { stop_reason: 'end_turn' } })}event: message_stop\n${toEvents({ type: 'message_stop' })}`
const COMPLETED = toEvents({
  type: 'response.completed',
  response: { status: 'completed', output: [] },
})

describe('An error inside a stream of another format', () => {
  it.each([
    ['without a type', toEvents({ error: { message: 'overloaded' } })],
    ['in plain words', toEvents({ error: 'overloaded' })],
    [
      'with its type',
      `event: error\n${toEvents({ type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } })}`,
    ],
  ])('that comes %s is the last event that passes', async (_, error) => {
    const { text } = await ask('messages', 'stream', START + error + STOP)
    expect(text).toMatch(
      /event: error\ndata: [^\n]*"type":"error"[^\n]*"message":"overloaded"[^\n]*\n\n$/,
    )
    const relayed = (await ask('responses', 'stream', error + COMPLETED)).text
    expect(relayed).toContain('overloaded')
    expect(relayed).not.toContain('completed')
    sent = { body: START + error + STOP, type: EVENTS_TYPE }
    expect((await hear(messages, 'm', 'Hello')).error).toMatchObject({ message: 'overloaded' })
  })

  it('ends the reply at once, although the other side goes on', async () => {
    const { text } = await ask(
      'chat',
      'stream',
      toEvents(
        chunk({ content: 'text' }),
        { error: { message: 'overloaded' } },
        chunk({ content: 'lost' }),
      ),
    )
    expect(readEvents(text).at(-1)).toMatchObject({ error: { message: 'overloaded' } })
    expect(text.endsWith('}\n\ndata: [DONE]\n\n')).toBe(true)
  })
})

it('Events of the messages format that come without their names get them, because SDKs pass over those that have none', async () => {
  const nameless = (START + STOP).replaceAll(/^event: .*\n/gm, '')
  const { text } = await ask(
    'messages',
    'stream',
    nameless.replace('\n\n', `\n\n${toEvents(TEXT)}`),
  )
  expect(text).toBe(START + `event: content_block_delta\n${toEvents(TEXT)}` + STOP)
})

describe('embeddings', () => {
  const embed = (input: string | string[]) =>
    compatible.embed!({
      model: 'test',
      body: { model: 'test', input },
      signal: new AbortController().signal,
    })
  const answer = (count: number) => {
    const embedding = Array.from({ length: 4096 }, (_, place) => Math.sin(place))
    const data = Array.from({ length: count }, (_, index) => ({
      object: 'embedding',
      index,
      embedding,
    }))
    sent = { body: JSON.stringify({ object: 'list', data }, null, 2), type: 'application/json' }
  }

  it('are read as far as the texts they were asked for need', async () => {
    answer(40)
    expect((await embed(Array.from({ length: 40 }, () => 'x'))).data).toHaveLength(40)
    await expect(embed('x')).rejects.toMatchObject({ code: 'upstream_too_large' })
  })
})

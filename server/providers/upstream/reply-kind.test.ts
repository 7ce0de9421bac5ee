import { once } from 'node:events'
import { createServer, request as openRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { sendError } from '../../lib/http.ts'
import { createTestUpstream } from '../../testing/create-test-upstream.ts'
import { hear } from '../../testing/provider-conformance.ts'
import { createCompatibleProvider } from '../compatible/index.ts'
import { createMessagesProvider } from '../messages/index.ts'
import type { Upstream } from './upstream.ts'

const JSON_TYPE = 'application/json'
const EVENTS_TYPE = 'text/event-stream; charset=utf-8'
const TYPES = [JSON_TYPE, EVENTS_TYPE, 'text/plain']

const DOCUMENT = JSON.stringify({
  choices: [
    { index: 0, message: { role: 'assistant', content: 'whole 🙂' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
})
const EVENTS =
  'data: {"choices":[{"index":0,"delta":{"content":"whole 🙂"},"finish_reason":null}]}\n\n' +
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
const ERROR = '{"error":{"message":"No credit.","code":402}}'
const MESSAGE = JSON.stringify({
  type: 'message',
  content: [{ type: 'text', text: 'whole 🙂' }],
  stop_reason: 'end_turn',
  usage: {},
})

let sending: { type: string; pieces: readonly (Buffer | string)[]; endless?: boolean }
let upstream: Upstream
let provider: Server
let gateway: Server
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const options = () => ({ connectionId: 'test', name: 'Test', type: 'external' as const, upstream })

beforeAll(async () => {
  // The headers are sent separately, as by a provider that thinks before it writes.
  provider = createServer((request, response) => {
    const play = async (): Promise<void> => {
      response.writeHead(200, { 'content-type': sending.type }).flushHeaders()
      for (const piece of sending.pieces) {
        await sleep(5)
        response.write(piece)
      }
      if (!sending.endless) response.end()
    }
    request.resume().once('end', () => void play())
  })
  gateway = createServer((request, response) => {
    const { signal } = new AbortController()
    const call = { body: Buffer.from('{}'), stream: true, response, signal, headers: {} }
    const isMessages = request.url === '/messages'
    const relay = () =>
      isMessages
        ? createMessagesProvider(options()).messages!.relay(call)
        : createCompatibleProvider(options()).relay!(call)
    const log = createLogger('silent')
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
  upstream = createTestUpstream(`http://127.0.0.1:${portOf(provider)}`)
})
afterAll(async () => {
  await upstream.close()
  for (const server of [provider, gateway]) {
    server.closeAllConnections()
    server.close()
  }
})

/** Splits a text at its beginning, in the middle of a character and near its end. */
function split(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const ends = [1, 2, bytes.indexOf('🙂') + 2, bytes.length - 3, bytes.length]
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
}

async function relayed(path = '/'): Promise<{ status: number; text: string; events: string[] }> {
  const response = await fetch(`http://127.0.0.1:${portOf(gateway)}${path}`, {
    method: 'POST',
    body: '{}',
  })
  const text = await response.text()
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  return { status: response.status, text, events }
}

const contentOf = (events: readonly string[]): string =>
  events
    .filter((event) => event !== '[DONE]')
    .map(
      (event) =>
        (JSON.parse(event) as { choices: { delta: { content?: string } }[] }).choices[0]!.delta
          .content ?? '',
    )
    .join('')

describe.each(TYPES)('A reply to a streaming call under the type %s', (type) => {
  it.each([
    ['a document', DOCUMENT, ['\n']],
    ['a document behind blanks and a byte order mark', `\uFEFF \r\n${DOCUMENT}`, []],
    ['events', EVENTS, []],
    ['events behind a comment', `: working\n\n${EVENTS}`, []],
  ])('is read as %s, in whatever pieces it comes', async (_, text, first) => {
    sending = { type, pieces: [...first, ...split(text)] }
    const { events } = await relayed()
    expect(contentOf(events)).toBe('whole 🙂')
    expect(events.at(-1)).toBe('[DONE]')
    expect(events.filter((event) => event.includes('"finish_reason":"stop"'))).toHaveLength(1)

    const heard = await hear(createCompatibleProvider(options()), 'm', 'x')
    expect(heard).toMatchObject({ content: 'whole 🙂', error: null, finish: 'stop' })
  })

  it('is told as the error it holds', async () => {
    sending = { type, pieces: [ERROR.slice(0, 5), ERROR.slice(5)] }
    const { events, text, status } = await relayed()
    expect(text).toContain('No credit.')
    // A stream whose headers were sent can only report the error in an event, and ends as streams
    // do.
    expect([status, events.at(-1)]).toEqual(type === JSON_TYPE ? [400, undefined] : [200, '[DONE]'])
    await expect(hear(createCompatibleProvider(options()), 'm', 'x')).rejects.toThrow('No credit.')
  })

  it('is told as broken when a document is cut off', async () => {
    sending = { type, pieces: [DOCUMENT.slice(0, 30), DOCUMENT.slice(30, 60)] }
    const { text } = await relayed()
    expect(text).toContain('cut off')
    expect(text).not.toContain('whole')
    await expect(hear(createCompatibleProvider(options()), 'm', 'x')).rejects.toThrow('not its API')
  })

  it('is a document of the messages API too', async () => {
    sending = { type, pieces: split(MESSAGE) }
    expect(await hear(createMessagesProvider(options()), 'm', 'x')).toMatchObject({
      content: 'whole 🙂',
      error: null,
      finish: 'stop',
    })
    expect((await relayed('/messages')).text).toContain(
      'a whole answer although a stream was asked for',
    )
  })

  it('passes while it comes when it holds events', async () => {
    sending = { type, pieces: [EVENTS.slice(0, EVENTS.indexOf('\n\n') + 2)], endless: true }
    const request = openRequest({ host: '127.0.0.1', port: portOf(gateway), method: 'POST' }).end(
      '{}',
    )
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(String((await once(response, 'data'))[0])).toContain('whole')
    request.destroy()
    const left = new AbortController()
    const frames = createCompatibleProvider(options()).stream({
      model: 'm',
      body: {},
      signal: left.signal,
    })
    expect((await frames.next()).value).toMatchObject({
      choices: [{ delta: { content: 'whole 🙂' } }],
    })
    left.abort()
    await frames.return(undefined)
  })
})

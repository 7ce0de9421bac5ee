import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutgoingConnection } from '#contract/outgoing-connections.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startReceiver, type Receiver } from '../testing/start-receiver.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  readonly status: { code: number }
}

interface Batch {
  readonly resourceSpans: {
    readonly resource: { attributes: WireSpan['attributes'] }
    readonly scopeSpans: { readonly spans: WireSpan[] }[]
  }[]
}

const SERVER = 2
const CLIENT = 3
const FAILED = 2
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

const spansOf = ({ received }: Receiver): WireSpan[] =>
  received.flatMap(({ body }) =>
    (body as unknown as Batch).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  )

const attributesOf = ({ attributes }: Pick<WireSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

let upstream: FakeUpstream
let server: TestServer | null = null
beforeEach(async () => {
  upstream = await startFakeCompatible({ models: ['cloud'] })
})
afterEach(async () => {
  await server?.close()
  server = null
  await upstream.close()
})

async function start(endpoint: string, more: Record<string, string> = {}): Promise<string> {
  server = await startTestServer({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: 'provider-key-123',
      ...more,
    },
  })
  const token = await server.signUp('Ada')
  await (await server.call('GET', '/api/models', { token })).text()
  return token
}

const ask = (token: string, content: string, headers: Record<string, string> = {}) =>
  server!.call('POST', '/api/chat/completions', {
    token,
    headers,
    body: { model: 'cloud', messages: [{ role: 'user', content }], stream: true },
  })

describe('traces', () => {
  it('hold a call and what a provider was asked for it, as parts of the trace of the caller', async () => {
    const receiver = await startReceiver()
    const token = await start(`${receiver.url}/otlp`, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=receiver-key',
      OTEL_SERVICE_NAME: 'chat-north',
    })
    const userId = (await server!.context.users.first())!.id
    await (await ask(token, '/slow 8', { traceparent: `00-${TRACE}-${PARENT}-01` })).text()
    await (await ask(token, '/error 500')).text()
    await server!.call('GET', '/api/v1/chats/id-of-a-chat?secret=1', { token })
    await server!.call('GET', '/made-up/address')
    await server!.call('GET', '/health')
    await server!.close()
    server = null
    expect(receiver.received.map(({ path, headers }) => [path, headers['x-key']])).toContainEqual([
      '/otlp/v1/traces',
      'receiver-key',
    ])
    const spans = spansOf(receiver)
    const own = spans.find(({ traceId, kind }) => traceId === TRACE && kind === SERVER)!
    expect([own.name, own.parentSpanId]).toEqual(['POST /api/chat/completions', PARENT])
    expect(attributesOf(own)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/chat/completions',
      'http.response.status_code': 200,
    })
    const outgoing = spans.find(({ traceId, kind }) => traceId === TRACE && kind === CLIENT)!
    expect(outgoing.parentSpanId).toBe(own.spanId)
    expect(attributesOf(outgoing)).toEqual({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(upstream.url).port),
      'http.response.status_code': 200,
    })
    // The span lasts as long as the whole answer, and not only until its start.
    const took = BigInt(outgoing.endTimeUnixNano) - BigInt(outgoing.startTimeUnixNano)
    expect(took).toBeGreaterThan(250_000_000n)
    const sent = upstream.requests.filter(({ path }) => path.endsWith('/chat/completions'))
    expect(sent[0]!.headers['traceparent']).toBe(`00-${TRACE}-${outgoing.spanId}-01`)
    const failed = spans.filter(
      ({ kind, status, traceId }) => kind === CLIENT && traceId !== TRACE && status.code === FAILED,
    )
    expect(failed.map((span) => attributesOf(span)['http.response.status_code'])).toContain(500)
    const names = spans.map(({ name }) => name)
    expect(names).toContain('GET /api/v1/chats/:chat_id')
    expect(names).toContain('GET (other)')
    expect(names.filter((name) => name.includes('health'))).toEqual([])
    const text = receiver.received.map((each) => each.text).join('\n')
    expect(text).toContain('chat-north')
    for (const secret of [
      '/slow',
      'id-of-a-chat',
      'secret=1',
      'made-up',
      'provider-key-123',
      'receiver-key',
      'Ada',
      userId,
      token,
      'cloud',
    ])
      expect(text).not.toContain(secret)
    await receiver.close()
  })

  it('are not sent, nor told to providers, unless they are asked for', async () => {
    const token = await start('')
    await (await ask(token, 'Hello', { traceparent: `00-${TRACE}-${PARENT}-01` })).text()
    expect(upstream.requests.some(({ headers }) => 'traceparent' in headers)).toBe(false)
  })

  it('obey sealed mode like any other connection, and are listed', async () => {
    const token = await start('http://192.0.2.7:4318', { SEALED_MODE: 'true' })
    const list = async (): Promise<OutgoingConnection[]> => {
      const reply = await server!.call('GET', '/api/v1/outgoing?limit=500', { token })
      return ((await reply.json()) as { items: OutgoingConnection[] }).items
    }
    await expect.poll(list, { timeout: 15_000, interval: 500 }).toContainEqual(
      expect.objectContaining({
        host: '192.0.2.7',
        port: 4318,
        purpose: 'traces',
        outcome: 'refused',
        bytes_sent: 0,
      }),
    )
  }, 30_000)
})

type Answer = (response: ServerResponse) => void

/** Faulty receivers. */
const RECEIVERS: [string, Answer][] = [
  ['never answers', () => undefined],
  ['cuts every connection', (response) => response.destroy()],
  ['answers with an error', (response) => response.writeHead(500).end('{"message":"no"}')],
  [
    'leads elsewhere',
    (response) => response.writeHead(307, { location: 'http://192.0.2.7/' }).end(),
  ],
  ['answers without an end', (response) => pour(response)],
]

function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(256 * 1024, 'x')
  const write = (): void => {
    if (response.destroyed) return
    if (response.write(piece)) setImmediate(write)
    else response.once('drain', write)
  }
  write()
}

async function listenBadly(
  answer: Answer,
): Promise<{ url: string; calls: () => number; server: Server }> {
  let calls = 0
  const bad = createServer((request, response) => {
    calls += 1
    request.resume()
    response.on('error', () => undefined)
    answer(response)
  })
  bad.listen(0, '127.0.0.1')
  await once(bad, 'listening')
  const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}`
  return { url, calls: () => calls, server: bad }
}

/** Expects that answers and the shutdown go on as if nothing were exported. */
async function expectUnharmed(token: string): Promise<void> {
  const before = process.memoryUsage().arrayBuffers
  for (let each = 0; each < 20; each += 1) {
    const reply = await ask(token, 'Hello')
    expect(reply.status).toBe(200)
    expect(await reply.text()).toContain('[DONE]')
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024)
  const began = performance.now()
  await server!.close()
  server = null
  expect(performance.now() - began).toBeLessThan(3000)
}

describe('a receiver of traces that', () => {
  it('is not there harms nothing', async () => {
    const gone = await listenBadly(() => undefined)
    gone.server.close()
    await once(gone.server, 'close')
    await expectUnharmed(await start(gone.url))
  })

  it.each(RECEIVERS)(
    '%s harms nothing',
    async (_, answer) => {
      const bad = await listenBadly(answer)
      const token = await start(bad.url)
      await expect.poll(bad.calls, { timeout: 15_000 }).toBeGreaterThan(0)
      await expectUnharmed(token)
      bad.server.closeAllConnections()
      bad.server.close()
    },
    40_000,
  )
})

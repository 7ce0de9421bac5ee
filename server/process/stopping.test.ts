import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

let upstreams: FakeUpstream[]
let dataDir: string
let gateway: GatewayProcess | null = null
let token = ''

beforeAll(async () => {
  upstreams = [
    await startFakeCompatible({ models: ['cloud'] }),
    await startFakeRuntime({ models: ['local'] }),
  ]
})
afterAll(() => Promise.all(upstreams.map((upstream) => upstream.close())))
afterEach(async () => {
  if (gateway?.child.exitCode === null && gateway.child.signalCode === null) await gateway.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(grace: string): Promise<GatewayProcess> {
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-stop-'))
  const [compatible, runtime] = upstreams as [FakeUpstream, FakeUpstream]
  const connections = {
    OPENAI_API_BASE_URLS: compatible.url,
    OPENAI_API_KEYS: 'key',
    LLMHOST_BASE_URLS: runtime.url,
  }
  gateway = await startGatewayProcess({ DATA_DIR: dataDir, SHUTDOWN_GRACE: grace, ...connections })
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  token = ((await (await call('/api/v1/auths/signup', account)).json()) as { token: string }).token
  await (await call('/api/models')).text()
  return gateway
}

const call = (target: string, body?: unknown): Promise<Response> =>
  fetch(gateway!.url + target, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const ask = (model: string, question: string, extra: Record<string, unknown> = {}) => ({
  model,
  max_tokens: 1000,
  messages: [{ role: 'user', content: question }],
  ...extra,
})

const CUT = '[cut off]'

/**
 * Resolves when the first text of a streamed answer has arrived; the rest follows in `rest`, with a
 * mark where the connection broke.
 */
async function begin(response: Promise<Response>): Promise<{ rest: Promise<string> }> {
  const reader = (await response).body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('word2')) text += (await reader.read()).value ?? ''
  const read = async (): Promise<string> => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
    return text
  }
  return { rest: read().catch(() => text + CUT) }
}

/** Requests a stop and waits until the gateway refuses calls. */
async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Response> {
  gateway!.child.kill(signal)
  for (;;) {
    const response = await call('/health')
    if (response.status === 503) return response
    await response.text()
  }
}

const SHUTDOWN = {
  code: 'shutdown',
  message: expect.stringContaining('The gateway was stopped while') as string,
}
const dataOf = (stream: string): unknown[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as unknown)

test.each(['SIGTERM', 'SIGINT'] as const)(
  'R34: after %s new requests are refused in words while a running answer comes to its end, and the process ends with 0',
  async (signal) => {
    const { child, url } = await start('30')
    const ended = once(child, 'exit')
    const answer = await begin(
      call('/api/chat/completions', ask('cloud', '/slow 30', { stream: true })),
    )
    const refused = await stop(signal)
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual([
      '5',
      'close',
    ])
    expect(await refused.json()).toMatchObject({
      detail: 'The gateway is stopping. Try again in a moment.',
    })
    const ready = await call('/ready')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { detail: 'The gateway is stopping. Try again in a moment.' },
    ])
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
    const [, upgrade] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number; headers: Record<string, string> },
    ]
    expect([upgrade.statusCode, upgrade.headers['retry-after']]).toEqual([503, '5'])
    const text = await answer.rest
    expect(text).toContain('word30')
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(text).not.toContain('shutdown')
    await ended
    expect(child.exitCode).toBe(0)
    expect(existsSync(path.join(dataDir, 'gateway.json'))).toBe(false)
  },
)

test('R34: answers that take longer than SHUTDOWN_GRACE end with an error and the end mark of their format, whole ones with 503', async () => {
  const { child } = await start('1')
  const ended = once(child, 'exit')
  const slow = ask('cloud', '/slow 2000', { stream: true })
  const chat = (await (await call('/api/v1/chats/new', { chat: { title: 'Stopped' } })).json()) as {
    id: string
  }
  const streams = await Promise.all([
    begin(call('/api/chat/completions', slow)),
    begin(call('/api/v1/messages', slow)),
    begin(call('/api/v1/responses', { model: 'cloud', input: '/slow 2000', stream: true })),
    begin(call('/llmhost/api/chat', ask('local', '/slow 2000'))),
    begin(call('/llmhost/v1/chat/completions', { ...slow, model: 'local' })),
    begin(call('/openai/chat/completions', slow)),
    begin(call('/api/chat/completions', { ...slow, chat_id: chat.id, id: 'answer-1' })),
    begin(call('/api/completions', { model: 'cloud', prompt: '/slow 2000', stream: true })),
  ])
  const wholes = [
    call('/api/chat/completions', ask('cloud', '/silent')),
    call('/api/v1/messages', ask('cloud', '/silent')),
    call('/api/chat/completions', ask('cloud', '/silent', { chat_id: chat.id, id: 'answer-2' })),
  ].map((whole) => whole.then(async (response) => [response.status, await response.json()], String))
  await expect
    .poll(() => upstreams.reduce((sum, upstream) => sum + upstream.openStreams(), 0))
    .toBe(streams.length + wholes.length)
  await stop()
  const [plain, messages, responses, native, compatible, proxied, owned, text] = await Promise.all(
    streams.map(({ rest }) => rest),
  )
  for (const stream of [plain, compatible, proxied, owned, text]) {
    expect(stream!.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(dataOf(stream!).at(-1)).toMatchObject({ error: SHUTDOWN })
  }
  expect(dataOf(messages!).at(-1)).toMatchObject({
    type: 'error',
    error: { message: SHUTDOWN.message },
  })
  expect(dataOf(responses!).at(-1)).toMatchObject({
    type: 'response.failed',
    response: {
      error: { message: SHUTDOWN.message },
      output: [{ type: 'message', status: 'incomplete' }],
    },
  })
  expect(JSON.parse(native!.trimEnd().split('\n').at(-1)!)).toEqual({ error: SHUTDOWN.message })
  for (const whole of await Promise.all(wholes))
    expect(whole).toEqual([503, expect.objectContaining({ detail: SHUTDOWN.message })])
  await ended
  expect(child.exitCode).toBe(0)
  gateway = await startGatewayProcess({ DATA_DIR: dataDir })
  const stored = (await (await call(`/api/v1/chats/${chat.id}`)).json()) as {
    chat: { history: { messages: Record<string, StoredAnswer> } }
  }
  const { content, done, error } = stored.chat.history.messages['answer-1']!
  expect(content).toContain('word2')
  expect([done, error]).toEqual([true, expect.objectContaining({ content: SHUTDOWN.message })])
})

interface StoredAnswer {
  readonly content: string
  readonly done: boolean
  readonly error?: { content: string }
}

test('a second signal ends the gateway at once', async () => {
  const { child } = await start('300')
  const ended = once(child, 'exit')
  const answer = await begin(
    call('/api/chat/completions', ask('cloud', '/slow 2000', { stream: true })),
  )
  await stop()
  child.kill('SIGINT')
  await ended
  expect(child.exitCode).toBe(1)
  expect(await answer.rest).toContain(CUT)
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isRecord } from '../lib/is-record.ts'
import { pluginEnvironment, pluginPython } from '../testing/plugin-python.ts'
import { callJson } from '../testing/read-reply.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

interface Heard {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into requests of any shape
  readonly body: any
}

const heard: Heard[] = []
let refusal: { status: number; detail: string } | null = null
/** The stage at which filters take the request and do not reply. */
let silent: string | null = null
/** True if filters take requests and close the connection. */
let hangsUp = false

const ENTRIES = [
  {
    id: 'late',
    name: 'Late',
    pipeline: { type: 'filter', pipelines: ['*'], priority: 5, valves: true },
  },
  {
    id: 'early',
    name: 'Early',
    pipeline: { type: 'filter', pipelines: ['text'], priority: 1, valves: false },
  },
  {
    id: 'other',
    name: 'Other',
    pipeline: { type: 'filter', pipelines: ['something-else'], priority: 0, valves: false },
  },
  { id: 'clock', name: 'Clock', pipeline: { type: 'pipe', valves: false } },
  { id: 'shop.small', name: 'Shop: Small', pipeline: { type: 'manifold', valves: true } },
]
/** The entries the server lists now. */
let listed = ENTRIES
const EVENTS = [
  { event: { type: 'status', data: { description: 'Winding', done: true } } },
  { event: { type: 'execute', data: { code: 'alert(1)' } } },
  { choices: [{ index: 0, delta: { content: 'Tick' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]

/**
 * Starts a pipelines server that replies like the public one: the list, filters that add their
 * name, a pipe with events, settings.
 */
async function startPipelines() {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const isJson = request.headers['content-type'] === 'application/json'
      const body: unknown = isJson && text !== '' ? JSON.parse(text) : null
      const path = request.url!
      heard.push({
        method: request.method!,
        path,
        authorization: request.headers.authorization,
        text,
        body,
      })
      const answer = (value: unknown, status = 200) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(value))
      if (path === '/models') return answer({ data: listed, object: 'list', pipelines: true })
      const [, id, stage] = /^\/([\w.]+)\/filter\/(inlet|outlet)$/.exec(path) ?? []
      if (stage !== undefined && isRecord(body) && isRecord(body['body'])) {
        if (silent === stage) return
        if (hangsUp) return request.socket.destroy()
        if (refusal) return answer({ detail: refusal.detail }, refusal.status)
        const messages = body['body']['messages'] as { role: string; content: string }[]
        const last = messages.at(-1)!
        return answer({
          ...body['body'],
          messages: [...messages.slice(0, -1), { ...last, content: `${last.content} [${id}]` }],
        })
      }
      if (path === '/chat/completions') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const event of EVENTS) response.write(`data: ${JSON.stringify(event)}\n\n`)
        return response.end('data: [DONE]\n\n')
      }
      if (path === '/late/valves/spec')
        return answer({ type: 'object', properties: { priority: { type: 'integer' } } })
      if (path === '/pipelines') return answer({ data: [{ id: 'late', valves: true }] })
      if (path === '/late/valves') return answer({ priority: 5 })
      if (path === '/torn/valves') {
        response.writeHead(200, { 'content-length': 100 }).write('{"priority"')
        return void setTimeout(() => response.destroy(), 20)
      }
      if (path === '/deep/valves') return response.end('['.repeat(100_000) + ']'.repeat(100_000))
      if (path === '/gone/valves') return answer({ detail: 'Pipeline gone not found' }, 404)
      answer({ status: true })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

let conversation: Conversation
let pipelines: { url: string; close: () => void }
beforeAll(async () => {
  pipelines = await startPipelines()
  conversation = await startConversation({
    upstream: {
      models: ['text'],
      script: async () => ({ steps: [{ kind: 'content', text: 'Hello' }] }),
    },
    environment: pluginEnvironment,
  })
  const body = {
    kind: 'compatible',
    name: 'Pipelines',
    url: pipelines.url,
    key: 'key-of-pipelines',
  }
  await conversation.server.call('POST', '/api/v1/connections', { token: conversation.token, body })
})
afterAll(async () => {
  await conversation.close()
  pipelines.close()
})
beforeEach(async () => {
  await conversation.server.call('GET', '/api/models?refresh=true', { token: conversation.token })
  heard.length = 0
  refusal = null
  silent = null
  hangsUp = false
  conversation.upstream.requests.length = 0
})

const call = (...asked: [string, string, unknown?]) =>
  callJson(conversation.server, conversation.token, asked)
const ask = (model = 'text', more: Record<string, unknown> = {}) =>
  conversation.complete({ model, messages: [{ role: 'user', content: 'Hi' }], ...more })
const lastSent = () =>
  (conversation.upstream.requests.at(-1)!.json!['messages'] as { content: string }[]).at(-1)!
    .content

/**
 * Changes the server's list and waits until the gateway knows it, which fetches no list twice
 * within a second.
 */
async function list(entries: typeof ENTRIES): Promise<void> {
  listed = entries
  heard.length = 0
  const isAsked = async (): Promise<boolean> => {
    await call('GET', '/api/models?refresh=true')
    return heard.some(({ path }) => path === '/models')
  }
  await expect.poll(isAsked).toBe(true)
}

describe('filters', () => {
  test('are no models; those for the model see the request in the order of their priority, with who asks', async () => {
    const models = ((await call('GET', '/api/models')).body as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    )
    expect(models).toEqual(expect.arrayContaining(['text', 'clock', 'shop.small']))
    expect(models).not.toContain('late')
    expect((await ask('late')).status).toBe(400)
    heard.length = 0
    expect((await ask()).status).toBe(200)
    expect(lastSent()).toBe('Hi [early] [late]')
    expect(heard.map(({ path }) => path)).toEqual(['/early/filter/inlet', '/late/filter/inlet'])
    expect(heard[0]).toMatchObject({
      authorization: 'Bearer key-of-pipelines',
      body: {
        user: { name: 'Ada', email: 'ada@example.com', role: 'admin' },
        body: { model: 'text' },
      },
    })
    expect(JSON.stringify(heard)).not.toContain(conversation.token)
  })

  test('that say nothing end with the answer somebody stops', async () => {
    silent = 'inlet'
    const chat = await conversation.createChat('Hi')
    const socket = await conversation.openSocket()
    const started = await (
      await ask('text', { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId })
    ).json()
    await expect.poll(() => heard).toHaveLength(1)
    await call('POST', `/api/tasks/stop/${(started as { task_id: string }).task_id}`)
    expect(await conversation.finished(chat)).toMatchObject({ error: { code: 'stopped' } })
    expect([heard.length, conversation.upstream.requests.length]).toEqual([1, 0])
  })

  test('that hang up on a request are passed over, and get it once over a new connection', async () => {
    hangsUp = true
    expect((await ask()).status).toBe(200)
    expect(lastSent()).toBe('Hi')
    // The first one is sent over a reused connection, which may have been closed already.
    expect(heard.filter(({ path }) => path === '/late/filter/inlet')).toHaveLength(1)
  })

  test('that say nothing to a finished conversation are passed over after a while', async () => {
    silent = 'outlet'
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(200))
    onTestFinished(() => spy.mockRestore())
    const body = { model: 'text', messages: [{ id: 'a', role: 'assistant', content: 'Hello' }] }
    expect(await call('POST', '/api/chat/completed', body)).toMatchObject({
      status: 200,
      body: { messages: [{ content: 'Hello' }] },
    })
  })

  test('see the finished answer of a chat', async () => {
    const chat = await conversation.createChat('Hi')
    await (await ask('text', { chat_id: chat.chat_id, id: chat.id })).json()
    await expect
      .poll(async () => (await conversation.readMessage(chat)).content)
      .toBe('Hello [early] [late]')
    const traces = (await call('GET', `/api/v1/plugins/traces?chat_id=${chat.chat_id}`)).body as {
      plugin_id: string
      hook: string
    }[]
    expect(traces.map(({ plugin_id: id, hook }) => `${id} ${hook}`).toReversed()).toEqual([
      'pipeline:early inlet',
      'pipeline:late inlet',
      'pipeline:early outlet',
      'pipeline:late outlet',
    ])
  })

  test('of other models have no answer read', async () => {
    const read = vi.spyOn(conversation.server.context.chats, 'wholeThread')
    onTestFinished(async () => {
      read.mockRestore()
      await list(ENTRIES)
    })
    await list(ENTRIES.filter(({ id }) => id !== 'late' && id !== 'early'))
    const chat = await conversation.createChat('Hi')
    await (
      await ask('text', {
        chat_id: chat.chat_id,
        id: chat.id,
        background_tasks: { follow_up_generation: true },
      })
    ).json()
    // Follow-up questions are requested once the outlets have run.
    await expect
      .poll(() => conversation.upstream.requests.filter(({ method }) => method === 'POST'))
      .toHaveLength(2)
    expect(read.mock.calls.filter(([id]) => id === chat.chat_id)).toEqual([])
    expect(heard.filter(({ body }) => body?.body?.chat_id === chat.chat_id)).toEqual([])
  })

  test('see the questions of small tasks, such as titles', async () => {
    const reply = await call('POST', '/api/v1/tasks/title/completions', {
      model: 'text',
      messages: [{ role: 'user', content: 'Secret' }],
    })
    expect(reply.status).toBe(200)
    expect(heard.map(({ path }) => path)).toEqual(['/early/filter/inlet', '/late/filter/inlet'])
    expect(heard[0]!.body).toMatchObject({ user: { name: 'Ada' }, body: { model: 'text' } })
    expect(lastSent()).toContain('Secret')
    expect(lastSent().endsWith(' [early] [late]')).toBe(true)
    heard.length = 0
    await call('POST', '/api/v1/tasks/moa/completions', {
      model: 'text',
      prompt: 'Join',
      responses: ['A', 'B'],
    })
    expect(lastSent().endsWith(' [early] [late]')).toBe(true)
  })

  test('what one refuses fails with its status and words, and never signs anybody out', async () => {
    refusal = { status: 429, detail: 'Too many cooks' }
    const reply = await ask()
    expect(reply.status).toBe(429)
    expect(await reply.json()).toMatchObject({ detail: 'Too many cooks' })
    refusal = { status: 401, detail: 'Wrong key' }
    expect((await ask()).status).toBe(403)
    expect(conversation.upstream.requests).toEqual([])
  })
})

describe.skipIf(pluginPython === null)('Filters beside functions', () => {
  test('come before them on the way in and on the way out', async () => {
    const content = `class Filter:
    def inlet(self, body):
        body["messages"][-1]["content"] += " [function]"
        return body

    outlet = inlet
`
    await call('POST', '/api/v1/functions/create', { id: 'last', name: 'Last', content })
    await call('POST', '/api/v1/functions/id/last/toggle/global')
    await call('POST', '/api/v1/functions/id/last/toggle')
    expect((await ask()).status).toBe(200)
    expect(lastSent()).toBe('Hi [early] [late] [function]')
    const body = { model: 'text', messages: [{ id: 'a', role: 'assistant', content: 'Hello' }] }
    expect((await call('POST', '/api/chat/completed', body)).body).toMatchObject({
      messages: [{ content: 'Hello [early] [late] [function]' }],
    })
    await call('DELETE', '/api/v1/functions/id/last/delete')
  }, 60_000)

  test('of a pipeline a function chose are those of the model that was asked for, and the pipeline is told who asks', async () => {
    const content = `class Filter:
    def inlet(self, body):
        body["model"] = "clock"
        return body
`
    await call('POST', '/api/v1/functions/create', { id: 'router', name: 'Router', content })
    await call('POST', '/api/v1/functions/id/router/toggle/global')
    await call('POST', '/api/v1/functions/id/router/toggle')
    const reply = await ask('text', { stream: true })
    expect(await reply.text()).toContain('Tick')
    const sent = heard.find(({ path }) => path === '/chat/completions')!
    expect(sent.body).toMatchObject({ model: 'clock', user: { name: 'Ada', role: 'admin' } })
    expect(heard.filter(({ path }) => path.endsWith('/inlet')).map(({ path }) => path)).toEqual([
      '/early/filter/inlet',
      '/late/filter/inlet',
    ])
    await call('DELETE', '/api/v1/functions/id/router/delete')
  }, 60_000)
})

describe('pipes', () => {
  test('answer as models, know who asks, and send events but neither questions nor code', async () => {
    const socket = await conversation.openSocket()
    const chat = await conversation.createChat('Hi')
    await (
      await ask('clock', { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId })
    ).json()
    const message = await conversation.finished(chat)
    expect(message.content).toMatch(/^Tick/)
    expect(message.statusHistory).toMatchObject([{ description: 'Winding' }])
    expect(socket.frames.some(({ data }) => data?.type === 'execute')).toBe(false)
    const sent = heard.find(({ path }) => path === '/chat/completions')!
    expect(sent.body).toMatchObject({ model: 'clock', user: { name: 'Ada', role: 'admin' } })
    const inlets = heard.filter(({ path }) => path.endsWith('/inlet')).map(({ path }) => path)
    expect(inlets).toEqual(['/late/filter/inlet', '/clock/filter/inlet'])
  })
})

describe('pipes of a group', () => {
  test('answer under their own id, filters of their own included', async () => {
    const chat = await conversation.createChat('Hi')
    await (await ask('shop.small', { chat_id: chat.chat_id, id: chat.id })).json()
    expect((await conversation.finished(chat)).content).toMatch(/^Tick/)
    expect(heard.find(({ path }) => path === '/chat/completions')!.body).toMatchObject({
      model: 'shop.small',
    })
    const inlets = heard.filter(({ path }) => path.endsWith('/inlet')).map(({ path }) => path)
    expect(inlets).toEqual(['/late/filter/inlet', '/shop.small/filter/inlet'])
  })

  test('without a window their events go nowhere, and an answer in one piece is one', async () => {
    const reply = await ask('clock', { stream: true })
    const text = await reply.text()
    expect(text).toContain('Tick')
    expect(text).not.toContain('Winding')
  })
})

describe('for administrators', () => {
  test('servers, their pipelines and settings are handed through with the key of the connection', async () => {
    const { body } = await call('GET', '/api/v1/pipelines/list')
    expect(body).toEqual({ data: [{ url: pipelines.url, idx: expect.any(Number) as number }] })
    const { idx } = (body as { data: { idx: number }[] }).data[0]!
    expect((await call('GET', `/api/v1/pipelines/?urlIdx=${idx}`)).body).toEqual({
      data: [{ id: 'late', valves: true }],
    })
    expect((await call('GET', '/api/v1/pipelines/late/valves/spec')).body).toMatchObject({
      properties: { priority: { type: 'integer' } },
    })
    heard.length = 0
    expect((await call('GET', `/api/v1/pipelines/late/valves?urlIdx=${idx}`)).body).toEqual({
      priority: 5,
    })
    expect(await call('GET', '/api/v1/pipelines/gone/valves')).toEqual({
      status: 404,
      body: { detail: 'Pipeline gone not found' },
    })
    await call('POST', '/api/v1/pipelines/late/valves/update', { priority: 2 })
    await call('POST', '/api/v1/pipelines/add', { url: 'https://example.org/a.py', urlIdx: idx })
    await call('DELETE', '/api/v1/pipelines/delete', { id: 'late', urlIdx: idx })
    const form = new FormData()
    form.set('urlIdx', String(idx))
    form.set('file', new Blob(['class Pipeline: pass']), 'own.py')
    const reply = await fetch(`${conversation.server.url}/api/v1/pipelines/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${conversation.token}` },
      body: form,
    })
    expect(await reply.json()).toEqual({ status: true })
    const calls = heard.filter(({ path }) => path !== '/models')
    expect(calls.every(({ authorization }) => authorization === 'Bearer key-of-pipelines')).toBe(
      true,
    )
    expect(calls.slice(2)).toMatchObject([
      { method: 'POST', path: '/late/valves/update', body: { priority: 2 } },
      { method: 'POST', path: '/pipelines/add', body: { url: 'https://example.org/a.py' } },
      { method: 'DELETE', path: '/pipelines/delete', body: { id: 'late' } },
      {
        method: 'POST',
        path: '/pipelines/upload',
        text: expect.stringContaining('filename="own.py"') as string,
      },
    ])
  })
})

test.each([
  ['torn', /was interrupted/],
  ['deep', /too deeply nested/],
])('settings that come %s are refused with the reason', async (id, words) => {
  expect(await call('GET', `/api/v1/pipelines/${id}/valves`)).toMatchObject({
    status: 502,
    body: { detail: expect.stringMatching(words) as string },
  })
})

// Last, because the server is not started again.
test('a server that cannot be reached is passed over', async () => {
  pipelines.close()
  expect((await ask()).status).toBe(200)
  expect(lastSent()).toBe('Hi')
})

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Script, Step } from '../testing/fake-upstream/script.ts'
import { callJson } from '../testing/read-reply.ts'
import {
  startConversation,
  type Conversation,
  type OpenChat,
} from '../testing/start-conversation.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: { '/forecast': { post: { operationId: 'forecast', summary: 'The forecast' } } },
}
const NOTE = { name: 'note', description: 'Writes a note', inputSchema: { type: 'object' } }

let tool = 'desk_note'
const script: Script = async ({ messages }) => {
  const step: Step = messages.some((message) => 'tool_calls' in message)
    ? { kind: 'content', text: 'Done.' }
    : { kind: 'tool', name: tool, arguments: {} }
  return { steps: [step] }
}

interface Asked {
  readonly id?: number
  readonly method?: string
}

/** Faulty handler of a tool server; returns false to leave the request to the well-behaved one. */
let misbehave: (asked: Asked, response: ServerResponse, request: IncomingMessage) => boolean = () =>
  false
let heard: string[] = []

const sendJson = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Replies as an MCP server below /mcp and as an OpenAPI server elsewhere. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const asked = (request.method === 'POST' && body.startsWith('{') ? JSON.parse(body) : {}) as Asked
  heard.push(asked.method ?? `${request.method} ${request.url}`)
  if (misbehave(asked, response, request)) return
  if (request.url === '/openapi.json') return sendJson(response, DOCUMENT)
  if (request.url === '/forecast') return sendJson(response, { degrees: 12 })
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'desk', version: '1' },
    },
    'tools/list': { tools: [NOTE] },
    'tools/call': { content: [{ type: 'text', text: 'noted' }] },
  }
  const result = results[asked.method ?? '']
  if (asked.id === undefined)
    return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
  if (result === undefined)
    return sendJson(response, {
      jsonrpc: '2.0',
      id: asked.id,
      error: { code: -32601, message: 'unknown' },
    })
  sendJson(response, { jsonrpc: '2.0', id: asked.id, result })
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(1024 * 1024, 'x')
}

let conversation: Conversation
let server: ReturnType<typeof createServer>
let url = ''
beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  conversation = await startConversation({
    upstream: { models: ['text'], script },
    environment: { LOG_LEVEL: 'silent' },
  })
})
afterAll(async () => {
  await conversation.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  misbehave = () => false
  await connect()
  heard = []
})

const connect = async () => {
  const own = { auth_type: 'none', config: {} }
  const servers = [
    { ...own, type: 'mcp', url: `${url}/mcp`, info: { id: 'desk', name: 'Desk' } },
    {
      ...own,
      type: 'openapi',
      url,
      path: 'openapi.json',
      info: { id: 'weather', name: 'Weather' },
    },
  ]
  for (const list of [[], servers]) {
    await callJson(conversation.server, conversation.token, [
      'POST',
      '/api/v1/configs/tool_servers',
      { TOOL_SERVER_CONNECTIONS: list },
    ])
  }
}

async function begin(id: string): Promise<{ chat: OpenChat; taskId: string }> {
  const socket = await conversation.openSocket()
  const chat = await conversation.createChat('Note it')
  const place = { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }
  const reply = await conversation.complete({
    model: 'text',
    messages: [{ role: 'user', content: 'Note it' }],
    tool_ids: [id],
    ...place,
  })
  return { chat, taskId: ((await reply.json()) as { task_id: string }).task_id }
}
const stop = (taskId: string) =>
  conversation.server.call('POST', `/api/tasks/stop/${taskId}`, { token: conversation.token })
const outputOf = async (chat: OpenChat) =>
  JSON.stringify((await conversation.finished(chat))['output'])

describe('A tool server that goes silent', () => {
  test.each([
    ['server:mcp:desk', 'initialize'],
    ['server:mcp:desk', 'tools/list'],
    ['server:weather', 'GET /openapi.json'],
  ])(
    '%s at %s: a stop ends the answer at once',
    async (id, silent) => {
      misbehave = ({ method }, _, request) =>
        (method ?? `${request.method} ${request.url}`) === silent
      const { chat, taskId } = await begin(id)
      await expect.poll(() => heard).toContain(silent)
      await stop(taskId)
      expect(await conversation.finished(chat)).toMatchObject({ error: { code: 'stopped' } })
      expect(heard.filter((name) => name === silent)).toHaveLength(1)
      // Less than the gateway's own timeout for a handshake or a description.
    },
    8_000,
  )

  test.each([
    ['server:mcp:desk', 'desk_note', 'tools/call'],
    ['server:weather', 'forecast', 'POST /forecast'],
  ])(
    '%s in a call: a stop ends the answer at once, and the call is not made again',
    async (id, name, silent) => {
      tool = name
      misbehave = ({ method }, _, request) =>
        (method ?? `${request.method} ${request.url}`) === silent
      const { chat, taskId } = await begin(id)
      await expect.poll(() => heard).toContain(silent)
      await stop(taskId)
      const message = await conversation.finished(chat)
      expect(message).toMatchObject({
        error: { code: 'stopped' },
        statusHistory: [{}, { description: `${name} was stopped.` }],
      })
      expect(heard.filter((one) => one === silent)).toHaveLength(1)
      misbehave = () => false
      expect(await outputOf((await begin(id)).chat)).toMatch(/noted|degrees/)
    },
  )
})

describe('A tool server that ends in the middle of an answer', () => {
  const cut = (response: ServerResponse, type: string): boolean => {
    response.writeHead(200, { 'content-type': type })
    response.write(type.includes('json') ? '{"jsonrpc": "2.0", "id"' : ': begun\n\n')
    setTimeout(() => response.destroy(), 50)
    return true
  }
  test.each([
    ['server:mcp:desk', 'desk_note', 'tools/call', 'application/json'],
    ['server:mcp:desk', 'desk_note', 'tools/call', 'text/event-stream'],
    ['server:weather', 'forecast', 'POST /forecast', 'application/json'],
  ])(
    '%s (%s, %s, %s): the model reads so, the call is made once, and the next one works',
    async (id, name, asked, type) => {
      tool = name
      misbehave = ({ method }, response, request) =>
        (method ?? `${request.method} ${request.url}`) === asked && cut(response, type)
      const { chat } = await begin(id)
      expect(await outputOf(chat)).toContain('tool server')
      expect(heard.filter((one) => one === asked)).toHaveLength(1)
      misbehave = () => false
      expect(await outputOf((await begin(id)).chat)).toMatch(/noted|degrees/)
    },
  )

  test('an event stream that ends politely without an answer is a failed call as well', async () => {
    tool = 'desk_note'
    misbehave = ({ method }, response) => {
      if (method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')
      return true
    }
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('tool server')
  })

  test.each(['application/json', 'text/event-stream'])(
    'an answer without an end (%s) is refused before it fills the memory',
    async (type) => {
      tool = 'desk_note'
      let left = 0
      misbehave = ({ method }, response) => {
        if (method !== 'tools/call') return false
        response.writeHead(200, { 'content-type': type }).on('close', () => (left += 1))
        response.write('data: {"jsonrpc": "2.0", "result": "')
        Readable.from(endless()).pipe(response)
        return true
      }
      expect(await outputOf((await begin('server:mcp:desk')).chat)).toMatch(
        /too large|ended its reply/,
      )
      expect(left).toBe(1)
    },
  )

  test('a refusal without an end does not keep its connection', async () => {
    let left = 0
    misbehave = (_, response, { url: asked }) => {
      if (asked !== '/openapi.json') return false
      response.writeHead(500).on('close', () => (left += 1))
      Readable.from(endless()).pipe(response)
      return true
    }
    await begin('server:weather')
    await expect.poll(() => left).toBe(1)
  })

  test('one that answers twice is read once', async () => {
    tool = 'desk_note'
    misbehave = ({ method, id }, response) => {
      if (method !== 'tools/call') return false
      const frame = (said: string) =>
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } })}\n\n`
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(frame('first') + frame('second'))
      return true
    }
    const output = await outputOf((await begin('server:mcp:desk')).chat)
    expect(output).toContain('first')
    expect(output).not.toContain('second')
  })

  test('one that has forgotten the session is greeted again', async () => {
    tool = 'desk_note'
    let session = 1
    misbehave = ({ method, id }, response, request) => {
      if (method === 'initialize') {
        response.setHeader('mcp-session-id', `s${session}`)
        return false
      }
      if (
        request.headers['mcp-session-id'] === `s${session}` ||
        !request.url?.startsWith('/mcp') ||
        method === 'server/discover'
      )
        return false
      sendJson(
        response,
        { jsonrpc: '2.0', id: id ?? null, error: { code: -32001, message: 'Session not found' } },
        404,
      )
      return true
    }
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
    session = 2
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
  })

  test.each([
    [400, { error: { code: -32000, message: 'Bad Request: No valid session ID provided' } }],
    [200, { error: { code: -32001, message: 'Session not found' } }],
  ])(
    'one that says so with status %s is greeted again as well, and asked once more',
    async (status, refusal) => {
      tool = 'desk_note'
      expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
      let isForgotten = true
      misbehave = ({ method, id }, response) => {
        if (method === 'initialize') isForgotten = false
        if (method !== 'tools/call' || !isForgotten) return false
        sendJson(response, { jsonrpc: '2.0', id: id ?? null, ...refusal }, status)
        return true
      }
      expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
      expect(heard.filter((one) => one === 'tools/call')).toHaveLength(3)
    },
  )

  test('one that refuses every session is asked twice, and the model reads why', async () => {
    tool = 'desk_note'
    misbehave = ({ method, id }, response) => {
      if (method !== 'tools/call') return false
      sendJson(
        response,
        { jsonrpc: '2.0', id: id ?? null, error: { code: -32001, message: 'Session not found' } },
        404,
      )
      return true
    }
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('forgotten the session')
    expect(heard.filter((one) => one === 'tools/call')).toHaveLength(2)
  })
})

describe('A tool server that hangs', () => {
  test('is said to be waited for, left out of the answer, and not waited for again by the next one', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const spy = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((time) => timeout(time === 10_000 ? 600 : time))
    onTestFinished(() => spy.mockRestore())
    tool = 'desk_note'
    misbehave = (_, __, request) => request.url === '/mcp'
    const first = await conversation.finished((await begin('server:mcp:desk')).chat)
    expect(first.statusHistory!.map(({ description }) => description)).toEqual([
      'Connecting to Desk…',
      'Desk could not be used: it does not answer. It is left out for a minute.',
    ])
    const asked = heard.length
    const second = await conversation.finished((await begin('server:mcp:desk')).chat)
    expect(second.statusHistory!.map(({ description }) => description)).toEqual([
      'Desk could not be used: it does not answer. It is left out for a minute.',
    ])
    expect(heard).toHaveLength(asked)
    misbehave = () => false
    await connect()
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
  })

  test('although it was used before is asked whether it is there when nothing was heard of it for a while, and left out', async () => {
    tool = 'desk_note'
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
    const [timeout, now] = [
      AbortSignal.timeout.bind(AbortSignal),
      performance.now.bind(performance),
    ]
    const spies = [
      vi
        .spyOn(AbortSignal, 'timeout')
        .mockImplementation((time) => timeout(time === 10_000 ? 600 : time)),
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 40_000),
    ]
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
    misbehave = (_, __, request) => request.url === '/mcp'
    const said = 'Desk could not be used: it does not answer. It is left out for a minute.'
    const first = await conversation.finished((await begin('server:mcp:desk')).chat)
    expect(first.statusHistory!.map(({ description }) => description)).toEqual([
      'Connecting to Desk…',
      said,
    ])
    const asked = heard.length
    const second = await conversation.finished((await begin('server:mcp:desk')).chat)
    expect(second.statusHistory!.map(({ description }) => description)).toEqual([said])
    expect(heard.filter((one) => one === 'tools/call')).toHaveLength(1)
    expect(heard).toHaveLength(asked)
  })

  test('in a call is asked whether it is there before the next answer', async () => {
    tool = 'desk_note'
    misbehave = ({ method }, response) => {
      if (method === 'tools/call') response.destroy()
      return method === 'tools/call'
    }
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toMatch(
      /could not be reached|failed/,
    )
    misbehave = () => false
    heard = []
    expect(await outputOf((await begin('server:mcp:desk')).chat)).toContain('noted')
    expect(heard).toContain('tools/list')
  })
})

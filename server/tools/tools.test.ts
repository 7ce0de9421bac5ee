import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Script, Step } from '../testing/fake-upstream/script.ts'
import { callJson } from '../testing/read-reply.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

const require = createRequire(import.meta.url)
const programOf = (name: string): string =>
  path.join(
    path.dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)),
    'dist/index.js',
  )

interface Heard {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: {
    '/cities/{city}': {
      get: {
        operationId: 'forecast',
        summary: 'The forecast of a city',
        parameters: [{ name: 'city', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
    '/page': { get: { operationId: 'page', summary: 'A page' } },
    '/picture': { get: { operationId: 'picture', summary: 'A picture' } },
  },
}

/** Steps of the model in each round. */
let rounds: (readonly Step[])[] = []
const script: Script = async ({ messages }) => {
  const round = messages.filter((message) => 'tool_calls' in message).length
  return { steps: [...(rounds[Math.min(round, rounds.length - 1)] ?? [])] }
}
const say = (text: string): Step => ({ kind: 'content', text })
const callTool = (name: string, args: Record<string, unknown> = {}): Step => ({
  kind: 'tool',
  name,
  arguments: args,
})

let conversation: Conversation
let bob = ''
let weather: { url: string; close: () => void }
const heard: Heard[] = []

async function startWeather() {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      heard.push({ url: request.url!, headers: request.headers, body })
      if (request.url === '/openapi.json') return response.end(JSON.stringify(DOCUMENT))
      if (request.url === '/page') {
        return response
          .writeHead(200, { 'content-type': 'text/html', 'content-disposition': 'inline' })
          .end('<h1>Rain</h1>')
      }
      if (request.url === '/picture') {
        return response
          .writeHead(200, { 'content-type': 'image/png' })
          .end(Buffer.from('89504e470d0a1a0a', 'hex'))
      }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ degrees: 12, at: request.url }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

const weatherServer = (more: Record<string, unknown> = {}) => ({
  url: weather.url,
  auth_type: 'bearer',
  key: 'key-of-the-weather',
  headers: { 'X-Person': '{{USER_NAME}} {{CHAT_ID}} {{SECRET}}' },
  info: { id: 'weather', name: 'Weather' },
  ...more,
})
const everything = (more: Record<string, unknown> = {}) => ({
  type: 'mcp',
  auth_type: 'none',
  command: process.execPath,
  args: [programOf('server-everything')],
  env: { SECRET_OF_EVERYTHING: 'hidden' },
  info: { id: 'every', name: 'Everything' },
  ...more,
})

const save = (connections: readonly unknown[], token = conversation.token) =>
  callJson(conversation.server, token, [
    'POST',
    '/api/v1/configs/tool_servers',
    { TOOL_SERVER_CONNECTIONS: connections },
  ])
const ask = (ids: readonly string[], more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content: 'How warm?' }],
  tool_ids: ids,
  ...more,
})
const lastBody = () =>
  conversation.upstream.requests.at(-1)!.json as {
    messages: { role: string; content: string }[]
    tools?: unknown[]
  }
const toolTexts = () =>
  lastBody()
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
const offeredNames = () =>
  (
    (conversation.upstream.requests[0]!.json!['tools'] ?? []) as { function: { name: string } }[]
  ).map((tool) => tool.function.name)

beforeAll(async () => {
  weather = await startWeather()
  conversation = await startConversation({ upstream: { models: ['text'], script } })
  bob = await conversation.addUser('Bob')
})
afterAll(async () => {
  await conversation.close()
  weather.close()
})
beforeEach(() => {
  heard.length = 0
  conversation.upstream.requests.length = 0
})

describe('tool servers of an administrator', () => {
  test('a chat calls an OpenAPI server and an MCP program', { timeout: 30_000 }, async () => {
    expect((await save([weatherServer(), everything()])).status).toBe(200)
    rounds = [
      [callTool('forecast', { city: 'Örebro', made_up: 1 })],
      [callTool('every_echo', { message: 'hello' })],
      [say('It is 12 degrees.')],
    ]
    const chat = await conversation.createChat('How warm?')
    const reply = await conversation.complete(
      ask(['server:weather', 'server:mcp:every'], { chat_id: chat.chat_id, id: chat.id }),
    )
    expect(await reply.json()).toMatchObject({
      choices: [{ message: { content: expect.stringContaining('It is 12 degrees.') as string } }],
    })
    expect(toolTexts()).toEqual([
      expect.stringContaining('"degrees":12'),
      expect.stringContaining('hello'),
    ])
    expect(offeredNames()).toEqual(expect.arrayContaining(['forecast', 'page', 'every_echo']))
    const call = heard.find(({ url }) => url.startsWith('/cities'))!
    expect(call.url).toBe('/cities/%C3%96rebro')
    expect(call.headers).toMatchObject({
      authorization: 'Bearer key-of-the-weather',
      'x-person': `Ada ${chat.chat_id} {{SECRET}}`,
    })
    expect(call.headers).not.toHaveProperty('cookie')
    expect(JSON.stringify(heard)).not.toContain(conversation.token)
  })

  test('secrets are stored encrypted, read as a mask, and kept when the mask comes back', async () => {
    const entered = {
      Authorization: 'Basic abc',
      'X-Tenant': 'tenant-canary',
      'X-Person': '{{USER_ID}}, {{USER_NAME}}',
      Accept: 'text/plain',
    }
    const { body } = await save([weatherServer({ headers: entered }), everything()])
    const shown = { ...entered, Authorization: '********', 'X-Tenant': '********' }
    expect(body.TOOL_SERVER_CONNECTIONS).toMatchObject([
      { key: '********', headers: shown, info: { id: 'weather' } },
      { env: { SECRET_OF_EVERYTHING: '********' } },
    ])
    const again = await save(body.TOOL_SERVER_CONNECTIONS as unknown[])
    expect(again.body).toEqual(body)
    const stored = await conversation.server.context.storage
      .prepare('select * from tool_server')
      .all()
    expect(JSON.stringify(stored)).not.toMatch(/key-of-the-weather|hidden|Basic abc|tenant-canary/)
    heard.length = 0
    rounds = [[callTool('forecast', { city: 'Rome' })], [say('Warm.')]]
    await (await conversation.complete(ask(['server:weather']))).json()
    const { headers } = heard.find(({ url }) => url.startsWith('/cities'))!
    expect(headers).toMatchObject({
      authorization: 'Bearer key-of-the-weather',
      'x-tenant': 'tenant-canary',
      accept: 'text/plain',
    })
  })

  test('a mask under the name of a header that has no stored value is refused, not stored', async () => {
    await save([weatherServer({ headers: { 'X-Tenant': 'tenant-canary' } })])
    const renamed = await save([weatherServer({ headers: { 'X-Renamed': '********' } })])
    expect([renamed.status, renamed.body.detail]).toEqual([
      400,
      expect.stringContaining('"X-Renamed"') as string,
    ])
  })

  test('pages are shown in frames, pictures become files of the person', async () => {
    await save([weatherServer()])
    rounds = [[callTool('page')], [callTool('picture')], [say('See.')]]
    const chat = await conversation.createChat('Show me')
    await (
      await conversation.complete(ask(['server:weather'], { chat_id: chat.chat_id, id: chat.id }))
    ).json()
    const message = await conversation.readMessage(chat)
    expect(message.files).toMatchObject([
      { type: 'image', url: expect.stringMatching(/^\/api\/v1\/files\/.+\/content$/) as string },
    ])
    expect(message.content).toContain('&lt;h1&gt;Rain&lt;/h1&gt;')
    const picture = (message.files as { url: string }[])[0]!.url
    expect(
      (await conversation.server.call('GET', picture, { token: conversation.token })).status,
    ).toBe(200)
    expect((await conversation.server.call('GET', picture, { token: bob })).status).toBe(404)
  })
})

describe('who may use them', () => {
  test('nobody named means administrators only; a grant opens a server', async () => {
    await save([weatherServer()])
    rounds = [[callTool('forecast', { city: 'Rome' })], [say('Warm.')]]
    const chat = await conversation.createChat('How warm?', { token: bob })
    const place = { chat_id: chat.chat_id, id: chat.id }
    await (
      await conversation.complete(ask(['server:weather', 'server:nothing'], place), { token: bob })
    ).json()
    expect(offeredNames()).toEqual([])
    expect(heard).toEqual([])
    const lines = JSON.stringify((await conversation.readMessage(chat, bob)).statusHistory)
    // A server that exists but is not accessible gives the same message as one that does not exist.
    expect(lines).toContain(
      'server:weather could not be used: it does not exist, or you may not use it.',
    )
    expect(lines).toContain(
      'server:nothing could not be used: it does not exist, or you may not use it.',
    )
    const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
    await save([weatherServer({ config: { access_grants: everybody } })])
    expect((await conversation.complete(ask(['server:weather']), { token: bob })).status).toBe(200)
    expect(heard.some(({ url }) => url === '/cities/Rome')).toBe(true)
  })

  test('people who are no administrators reach none of it', async () => {
    for (const connections of [[weatherServer()], [everything()]])
      expect((await save(connections, bob)).status).toBe(401)
    const states = await conversation.server.call('GET', '/api/v1/tool_servers', { token: bob })
    expect(states.status).toBe(401)
  })

  test('names of a filter list are offered, marked ones withheld', async () => {
    await save([weatherServer({ config: { function_name_filter_list: 'forecast,page,!page' } })])
    rounds = [[say('Hm.')]]
    await (await conversation.complete(ask(['server:weather']))).json()
    expect(offeredNames()).toEqual(['forecast'])
  })

  test('an id with names offers these functions alone, and a server named twice is opened once', async () => {
    await save([weatherServer({ config: { function_name_filter_list: 'forecast,page' } })])
    rounds = [[say('Hm.')]]
    const offeredTo = async (...ids: string[]) => {
      conversation.upstream.requests.length = 0
      await (await conversation.complete(ask(ids))).json()
      return offeredNames()
    }
    const all = await offeredTo('server:weather')
    expect(all.toSorted()).toEqual(['forecast', 'page'])
    expect(await offeredTo('server:weather|forecast')).toEqual(['forecast'])
    expect(await offeredTo('server:openapi:weather|page, nothing')).toEqual(['page'])
    expect(await offeredTo('server:weather|forecast', 'server:weather|page')).toEqual(all)
    expect(await offeredTo('server:weather|forecast', 'server:weather')).toEqual(all)
    expect(await offeredTo('server:weather|')).toEqual(all)
  })

  test('headers about the person go along only when that is switched on, under the names that were set', async () => {
    await save([weatherServer({ headers: {} })])
    rounds = [[callTool('forecast', { city: 'Rome' })], [say('Warm.')]]
    const call = async () => {
      heard.length = 0
      const chat = await conversation.createChat('How warm?')
      await (
        await conversation.complete(ask(['server:weather'], { chat_id: chat.chat_id, id: chat.id }))
      ).json()
      return { chat, headers: heard.find(({ url }) => url.startsWith('/cities'))!.headers }
    }
    expect(Object.keys((await call()).headers).filter((name) => name.startsWith('x-'))).toEqual([])
    const { settings } = conversation.server.context
    await settings.update({
      ENABLE_FORWARD_USER_INFO_HEADERS: true,
      FORWARD_SESSION_INFO_HEADER_CHAT_ID: 'X-Our-Chat',
    })
    const { chat, headers } = await call()
    await settings.update({
      ENABLE_FORWARD_USER_INFO_HEADERS: null,
      FORWARD_SESSION_INFO_HEADER_CHAT_ID: null,
    })
    expect(headers).toMatchObject({
      'x-service-user-name': 'Ada',
      'x-service-user-email': 'ada@example.com',
      'x-service-user-role': 'admin',
      'x-our-chat': chat.chat_id,
      'x-service-message-id': chat.id,
    })
  })
})

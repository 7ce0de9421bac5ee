import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ToolServer } from '#contract/tool-servers.ts'
import { callJson } from '../../testing/read-reply.ts'
import { startMcpServer, type TestMcpServer } from '../../testing/start-mcp-server.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { chooseFunctions } from '../calls/choose-functions.ts'

let server: TestServer
let token = ''
let desk: TestMcpServer
beforeAll(async () => {
  server = await startTestServer()
  token = await server.signUp('Ada')
  desk = await startMcpServer([{ name: 'note', description: 'Writes a note\u200B\u001B[31m' }])
})
afterAll(async () => {
  await server.close()
  desk.close()
})

const call = (...asked: [string, string, unknown?]) => callJson(server, token, asked)
const save = (...connections: unknown[]) =>
  call('POST', '/api/v1/configs/tool_servers', { TOOL_SERVER_CONNECTIONS: connections })
const verify = (connection: unknown) =>
  call('POST', '/api/v1/configs/tool_servers/verify', connection)
const YAML = `openapi: 3.1.0
info: { title: Weather, version: "1" }
paths: { /now: { get: { operationId: now, summary: The weather now } } }
`

describe('storing', () => {
  test('a server without an id is known by its place, and two cannot share one', async () => {
    const { body } = await save(
      { url: 'http://127.0.0.1:9' },
      { url: 'http://127.0.0.1:9', info: { id: '0' } },
      { url: 'http://127.0.0.1:9' },
    )
    expect(
      (body as { TOOL_SERVER_CONNECTIONS: ToolServer[] }).TOOL_SERVER_CONNECTIONS.map(
        ({ info }) => info.id,
      ),
    ).toEqual(['1', '0', '2'])
    expect(
      (await save({ url: desk.url, info: { id: 'a' } }, { url: desk.url, info: { id: 'a' } }))
        .status,
    ).toBe(400)
  })

  test.each([
    [{ url: 'ftp://example.org' }, 400],
    [{ url: 'https://user:password@example.org' }, 400],
    [{ url: '' }, 400],
    [{ url: 'https://example.org', type: 'mcp', command: 'npx' }, 400],
    [{ command: 'npx' }, 400],
    [{ url: 'https://example.org', headers: { Cookie: 'a=b' } }, 400],
    [{ url: 'https://example.org', headers: { 'X-A': 'line\r\nbreak' } }, 422],
    [{ url: 'https://example.org', info: { id: '../etc' } }, 422],
    [{ url: 'https://example.org', spec_type: 'json', spec: ' ' }, 400],
    [{ type: 'mcp', command: 'npx', env: { 'A=B': 'x' } }, 422],
  ])('%j is refused with a sentence', async (connection, status) => {
    const reply = await save(connection)
    expect(reply.status).toBe(status)
    expect(JSON.stringify(reply.body)).toMatch(/\w+ \w+/)
  })

  test('what was stored is there after a restart, with its secrets', async () => {
    await save({ type: 'mcp', url: desk.url, key: 'a-key', info: { id: 'desk', name: 'Desk' } })
    await call('GET', '/api/v1/tool_servers?refresh=true')
    const { dataDir } = server
    await server.close({ keep: true })
    server = await startTestServer({ dataDir })
    const reply = await server.call('POST', '/api/v1/auths/signin', {
      body: { email: 'ada@example.com', password: 'correct horse battery' },
    })
    token = ((await reply.json()) as { token: string }).token
    desk.heard.length = 0
    expect((await call('GET', '/api/v1/tool_servers?refresh=true')).body).toMatchObject([
      { id: 'desk', status: 'ok', sessions: 1 },
    ])
    expect(desk.heard[0]!.authorization).toBe('Bearer a-key')
  })
})

test('headers keep the spelling they were stored with, and masked ones are found in any', async () => {
  const headersOf = async (headers: Record<string, string>) =>
    (await save({ type: 'mcp', url: desk.url, info: { id: 'desk' }, headers })).body as {
      TOOL_SERVER_CONNECTIONS: ToolServer[]
    }
  const stored = await headersOf({ 'X-Team-Key': 'a-long-secret', 'User-Agent': 'Bakery' })
  expect(stored.TOOL_SERVER_CONNECTIONS[0]!.headers).toEqual({
    'X-Team-Key': '********',
    'User-Agent': 'Bakery',
  })
  const kept = await headersOf({ 'x-team-key': '********', 'X-TEAM-KEY': '********' })
  expect(kept.TOOL_SERVER_CONNECTIONS[0]!.headers).toEqual({ 'X-TEAM-KEY': '********' })
  desk.heard.length = 0
  await call('GET', '/api/v1/tool_servers?refresh=true')
  expect(desk.heard[0]).toMatchObject({ 'x-team-key': 'a-long-secret' })
})

describe('trying a server before it is stored', () => {
  test('an MCP server shows its tools, without what nobody sees', async () => {
    const { body } = await verify({ type: 'mcp', url: desk.url, auth_type: 'none' })
    expect(body).toMatchObject({
      status: true,
      specs: [{ name: 'note', description: 'Writes a note' }],
    })
  })

  test('a pasted description is read as JSON or YAML, and a broken one explained', async () => {
    expect(
      (await verify({ url: 'http://127.0.0.1:9', spec_type: 'json', spec: YAML })).body,
    ).toMatchObject({ info: { title: 'Weather' } })
    const broken = await verify({
      url: 'http://127.0.0.1:9',
      spec_type: 'json',
      spec: 'title: Nothing',
    })
    expect(broken).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('paths') as string },
    })
  })

  test('a server that is not there, and a program that is not found or ends, are explained', async () => {
    const gone = await verify({ url: 'http://127.0.0.1:9' })
    expect(gone).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('cannot be reached') as string },
    })
    const missing = await verify({ type: 'mcp', command: 'no-such-program' })
    expect(missing.body.detail).toMatch(/no-such-program was not found\. Searched: .*\/bin/)
    const ended = await verify({
      type: 'mcp',
      command: process.execPath,
      args: ['-e', 'console.error("no licence"); process.exit(2)'],
    })
    expect(ended).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('no licence') as string },
    })
    const signsIn = await verify({
      type: 'mcp',
      command: process.execPath,
      auth_type: 'oauth_2.1_static',
    })
    expect(signsIn).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('A program has no sign-in.') as string },
    })
  })

  test('a stored key is lent to the same address only', async () => {
    const other = await startMcpServer([])
    await save({ type: 'mcp', url: desk.url, key: 'a-key', info: { id: 'desk' } })
    await verify({ type: 'mcp', url: other.url, key: '********', info: { id: 'desk' } })
    expect(other.heard.length).toBeGreaterThan(0)
    expect(JSON.stringify(other.heard)).not.toContain('a-key')
    other.close()
  })
})

test.each([
  [401, 'tool_server_refused'],
  [403, 'tool_server_refused'],
  [500, 'bad_request'],
])('the state of a server that answers %i says whether a key is needed', async (status, code) => {
  const closed = createServer((_, response) => void response.writeHead(status).end())
  await once(closed.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
  await save({ url, auth_type: 'none', info: { id: 'closed' } })
  expect((await call('GET', '/api/v1/tool_servers?refresh=true')).body).toMatchObject([
    {
      id: 'closed',
      status: 'failed',
      detail: expect.stringContaining(`answered ${status}`) as string,
      code,
    },
  ])
  closed.close()
})

test('the usual JSON is read into connections to look through, and nothing is stored', async () => {
  await save()
  const mcpServers = {
    'My Memory': { command: 'npx', args: ['-y', 'memory'], env: { FOLDER: '/tmp' } },
    remote: {
      url: 'https://example.org/mcp',
      headers: { Authorization: 'Bearer a-key', 'X-Team': 'bakers' },
    },
    nothing: { note: 'neither' },
  }
  const { body } = await call('POST', '/api/v1/tool_servers/import', { mcpServers })
  expect(body).toMatchObject({
    connections: [
      {
        type: 'mcp',
        command: 'npx',
        args: ['-y', 'memory'],
        env: { FOLDER: '/tmp' },
        info: { id: 'my-memory', name: 'My Memory' },
      },
      {
        type: 'mcp',
        url: 'https://example.org/mcp',
        auth_type: 'bearer',
        key: 'a-key',
        headers: { 'X-Team': 'bakers' },
      },
    ],
    problems: ['nothing has neither a command nor an address.'],
  })
  expect((await call('GET', '/api/v1/configs/tool_servers')).body).toEqual({
    TOOL_SERVER_CONNECTIONS: [],
  })
  expect((await call('POST', '/api/v1/tool_servers/import', { mcpServers: {} })).status).toBe(400)
})

test('a server with session sign-in gets a token for itself alone, which tells it who calls and opens nothing here', async () => {
  const heard: string[] = []
  const http = createServer((request, response) => {
    heard.push(request.headers.authorization ?? '')
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  await verify({ type: 'mcp', url, auth_type: 'session' })
  http.close()
  const made = heard[0]!.replace('Bearer ', '')
  expect(made).not.toBe('')
  expect(made).not.toBe(token)
  const ask = async (audience: string) =>
    (await call('POST', '/api/v1/tool_servers/introspect', { token: made, audience })).body
  expect(await ask(url)).toMatchObject({
    active: true,
    username: 'Ada',
    email: 'ada@example.com',
    role: 'admin',
  })
  expect(await ask('http://127.0.0.1:1/mcp')).toEqual({ active: false })
  expect((await server.call('GET', '/api/v1/auths/', { token: made })).status).toBe(401)
})

test.each([
  ['', ['get_a', 'put_a', 'get_b']],
  ['a', ['get_a', 'put_a']],
  ['!put_a', ['get_a', 'get_b']],
  ['a, !put_a', ['get_a']],
  ['!a,!b', []],
])('the list %j offers %j', (list, names) => {
  const functions = ['get_a', 'put_a', 'get_b'].map((name) => ({ name }))
  expect(chooseFunctions(functions, list).map(({ name }) => name)).toEqual(names)
})

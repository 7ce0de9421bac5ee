import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'
import { startMcpServer, type TestMcpServer } from '../testing/start-mcp-server.ts'
import { startSingleSignOn, type SingleSignOnWorld } from '../testing/start-single-sign-on.ts'
import type { RequestContext } from '../extensions/request-context.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: { '/forecast': { get: { operationId: 'forecast', summary: 'The forecast' } } },
}

let world: SingleSignOnWorld
let desk: TestMcpServer
const heard: IncomingMessage['headers'][] = []
const weather = createServer((request, response) => {
  if (request.url === '/openapi.json') return response.end(JSON.stringify(DOCUMENT))
  heard.push(request.headers)
  response.end('"Rain"')
})

beforeAll(async () => {
  weather.listen(0, '127.0.0.1')
  await once(weather, 'listening')
  desk = await startMcpServer([{ name: 'note', description: 'Writes a note', isReadOnly: true }])
  world = await startSingleSignOn()
  const root = await world.server.signUp('Root')
  await world.signIn('ada')
  const shared = {
    auth_type: 'system_oauth',
    config: { access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }] },
  }
  const TOOL_SERVER_CONNECTIONS = [
    { ...shared, type: 'mcp', url: desk.url, info: { id: 'desk', name: 'Desk' } },
    {
      ...shared,
      url: `http://127.0.0.1:${(weather.address() as AddressInfo).port}`,
      info: { id: 'weather', name: 'Weather' },
    },
  ]
  await world.server.call('POST', '/api/v1/configs/tool_servers', {
    token: root,
    body: { TOOL_SERVER_CONNECTIONS },
  })
})
afterAll(async () => {
  await world.close()
  desk.close()
  weather.close()
})

async function open(email: string, toolId: string) {
  const { id, name, role } = (await world.server.context.users.findByEmail(email))!
  const caller: Caller = { userId: id, name, email, role, credential: 'bearer', keyId: null }
  const origin: CallOrigin = {
    caller,
    sent: { model: 'text', messages: [] },
    task: null,
    chatId: null,
    messageId: null,
    sessionId: null,
    signal: new AbortController().signal,
    tell: () => undefined,
    allTold: () => Promise.resolve(),
    ask: () => Promise.reject(new Error('There is no window.')),
  }
  const context = {
    ...origin,
    resolved: { entry: { id: 'text', info: { meta: {} } } },
  } as unknown as RequestContext
  return world.server.context.toolServers.open(context, { tool_ids: [toolId] })
}
const run = () => ({ signal: new AbortController().signal, messages: [] })

test('system_oauth: a tool server gets the token of the provider of whoever calls, and of nobody else', async () => {
  const { auth, users } = world.server.context
  const tokens = await auth.singleSignOn.sessions.tokensOf(
    (await users.findByEmail('ada@example.com'))!.id,
  )
  const belt = await open('ada@example.com', 'server:mcp:desk')
  await belt!.call({ id: '1', name: 'desk_note', arguments: { text: 'x' } }, run())
  expect(desk.heard.at(-1)!.authorization).toBe(`Bearer ${tokens!.access_token}`)
  const forecast = await open('ada@example.com', 'server:weather')
  const result = await forecast!.call({ id: '2', name: 'forecast', arguments: {} }, run())
  expect(result.text).toContain('Rain')
  expect(heard.at(-1)!.authorization).toBe(`Bearer ${tokens!.access_token}`)
  expect(JSON.stringify([heard, desk.heard])).not.toContain(tokens!.refresh_token)
})

test('system_oauth: whoever did not sign in with a provider is told so, and nothing is called', async () => {
  const before = [heard.length, desk.heard.length]
  const belt = await open('root@example.com', 'server:weather')
  const outcome = await belt!.call({ id: '1', name: 'forecast', arguments: {} }, run()).then(
    ({ text }) => text,
    (error: Error) => error.message,
  )
  expect(outcome).toContain('Weather needs your sign-in with another provider.')
  expect([heard.length, desk.heard.length]).toEqual(before)
})

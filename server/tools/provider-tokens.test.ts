import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startMcpServer, type TestMcpServer } from '../testing/start-mcp-server.ts'
import { startSingleSignOn, type SingleSignOnWorld } from '../testing/start-single-sign-on.ts'
import { TestBrowser } from '../testing/test-browser.ts'
import type { RequestContext } from '../extensions/request-context.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: { '/forecast': { get: { operationId: 'forecast', summary: 'The forecast' } } },
}

let world: SingleSignOnWorld
let desk: TestMcpServer
let upstream: FakeUpstream
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
  upstream = await startFakeCompatible({
    models: ['text'],
    script: ({ messages }) => ({
      steps: messages.some(({ role }) => role === 'tool')
        ? [{ kind: 'content', text: 'Rain.' }]
        : [{ kind: 'tool', name: 'forecast', arguments: {} }],
    }),
  })
  world = await startSingleSignOn({
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'key',
    BYPASS_MODEL_ACCESS_CONTROL: 'true',
  })
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
  await upstream.close()
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
  const tokens = await auth.singleSignOn.sessions.tokensOf({
    userId: (await users.findByEmail('ada@example.com'))!.id,
  })
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

test('system_oauth: of several sign-ins the one of the browser that asks counts, for programs the newest', async () => {
  const [older, newer] = [new TestBrowser({ isPage: false }), new TestBrowser({ isPage: false })]
  for (const browser of [older, newer]) await world.signIn('ada', browser)
  const ask = async (browser: TestBrowser, headers: Record<string, string> = {}) => {
    const reply = await browser.fetch(`${world.server.url}/api/chat/completions`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${older.cookies.get('token')}`,
        ...headers,
      },
      body: JSON.stringify({
        model: 'text',
        messages: [{ role: 'user', content: 'Weather?' }],
        tool_ids: ['server:weather'],
      }),
    })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Rain.')])
    return heard.at(-1)!.authorization
  }
  const [byOlder, byNewer] = [await ask(older), await ask(newer)]
  expect(byOlder).not.toBe(byNewer)
  expect(await ask(new TestBrowser({ isPage: false }))).toBe(byNewer)
  // The secret of another account's sign-in is of no use.
  world.provider.people['eve'] = { email: 'eve@example.com' }
  const eve = new TestBrowser({ isPage: false })
  await world.signIn('eve', eve)
  expect(
    await ask(new TestBrowser({ isPage: false }), {
      Cookie: `oauth_session_id=${eve.cookies.get('oauth_session_id')}`,
    }),
  ).toBe(byNewer)
})

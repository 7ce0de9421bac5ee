import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Provider from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Script } from '../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { startMcpServer, type TestMcpServer } from '../testing/start-mcp-server.ts'

const script: Script = ({ messages }) => ({
  steps: [
    messages.some((message) => 'tool_calls' in message)
      ? { kind: 'content', text: 'Done.' }
      : { kind: 'tool', name: 'desk_note', arguments: { text: 'hello' } },
  ],
})

interface SignInServer {
  readonly url: string
  readonly provider: Provider
  readonly server: Server
}

/** A real authorization server, with dynamic registration, PKCE and tokens bound to a resource. */
async function startSignIn(resource: string): Promise<SignInServer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { default: OidcProvider } = await import('oidc-provider')
  const provider = new OidcProvider(url, {
    scopes: ['openid', 'offline_access', 'notes'],
    pkce: { required: () => true },
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: 'notes', audience: resource, accessTokenTTL: 3600, accessTokenFormat: 'opaque' }),
      },
    },
    issueRefreshToken: () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return { url, provider, server }
}

/** Plays the browser of somebody who signs in and agrees, up to the page they are sent back to. */
async function agree(address: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const reply = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      jar.set(name!, value!)
    }
    return reply
  }
  let next = address
  for (let step = 0; step < 12; step += 1) {
    if (next.includes('/oauth/clients/')) return next
    let reply = await visit(next)
    if (next.includes('/interaction/')) {
      const text = await reply.text()
      const isLogin = text.includes('name="login"')
      reply = await visit(next, isLogin ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' })
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`${next}: ${reply.status} ${await reply.text()}`)
    next = new URL(location, next).href
  }
  throw new Error('The sign-in did not end.')
}

let conversation: Conversation
let desk: TestMcpServer
let signIn: SignInServer
let bob = ''
beforeAll(async () => {
  desk = await startMcpServer([{ name: 'note', description: 'Writes a note' }])
  signIn = await startSignIn(desk.url)
  const { origin } = new URL(desk.url)
  desk.documents.set('/.well-known/oauth-protected-resource/mcp', {
    resource: desk.url,
    authorization_servers: [signIn.url],
    scopes_supported: ['notes'],
  })
  desk.refuse = async ({ headers }) => {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const known = token === undefined ? undefined : await signIn.provider.AccessToken.find(token)
    const isFine = known !== undefined && known.aud === desk.url
    return isFine ? null : `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  }
  conversation = await startConversation({ upstream: { models: ['text'], script } })
  bob = await conversation.addUser('Bob')
  const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
  await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
    TOOL_SERVER_CONNECTIONS: [
      { type: 'mcp', url: desk.url, auth_type: 'oauth_2.1', info: { id: 'desk', name: 'Desk' }, config: { access_grants: everybody } },
      { type: 'mcp', url: desk.url, auth_type: 'oauth_2.1', info: { id: 'secret', name: 'Secret' } },
    ],
  })
})
afterAll(async () => {
  await conversation.close()
  signIn.server.closeAllConnections()
  signIn.server.close()
  desk.close()
})

async function call(method: string, path: string, token: string, body?: unknown) {
  const reply = await conversation.server.call(method, path, { token, body })
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  return { status: reply.status, body: (await reply.json()) as any }
}
const visit = (path: string, token: string) =>
  fetch(conversation.server.url + path, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
const begin = async (token: string) => (await visit('/oauth/clients/mcp:desk/authorize', token)).headers.get('location')!
async function ask(token: string) {
  const request = { model: 'text', messages: [{ role: 'user', content: 'Note it' }], tool_ids: ['server:mcp:desk'] }
  conversation.upstream.requests.length = 0
  await (await conversation.complete(request, { token })).json()
  return JSON.stringify(conversation.upstream.requests.at(-1)!.json!['messages'])
}
const isSignedIn = async (token: string) =>
  ((await call('GET', '/api/v1/tools/', token)).body as { id: string; authenticated: boolean }[]).find(
    ({ id }) => id === 'server:mcp:desk',
  )!.authenticated

test('a person signs in with the server, which is found and told about the gateway by itself; nobody else is signed in by that', async () => {
  expect(await isSignedIn(conversation.token)).toBe(false)
  expect(await ask(conversation.token)).not.toContain('said')
  const address = new URL(await begin(conversation.token))
  expect(address.origin).toBe(signIn.url)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    resource: desk.url,
    redirect_uri: `${conversation.server.url}/oauth/clients/mcp:desk/callback`,
  })
  const back = new URL(await agree(address.href, 'ada'))

  // Somebody else cannot finish what was begun here, nor can it be finished twice.
  expect((await visit(back.pathname + back.search, bob)).headers.get('location')).toContain('/?error=')
  expect(await isSignedIn(bob)).toBe(false)
  expect((await visit(back.pathname + back.search, conversation.token)).headers.get('location')).toBe('/')
  expect((await visit(back.pathname + back.search, conversation.token)).headers.get('location')).toContain('/?error=')

  expect(await isSignedIn(conversation.token)).toBe(true)
  expect(await ask(conversation.token)).toContain('nobody said hello')
  expect(await isSignedIn(bob)).toBe(false)
  expect(await ask(bob)).not.toContain('said hello')
  const stored = conversation.server.context.storage.sqlite.prepare('select token from tool_server_token').all()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain('access_token')
})

test('a token that is no longer taken is renewed once, however many calls need it', async () => {
  const { sqlite } = conversation.server.context.storage
  const before = sqlite.prepare('select token from tool_server_token').pluck().get()
  let refused = 0
  const check = desk.refuse!
  const old = new Set<string>()
  desk.refuse = async (request) => {
    const { authorization } = request.headers
    if (refused === 0 || old.has(authorization ?? '')) {
      old.add(authorization ?? '')
      refused += 1
      return 'Bearer error="invalid_token"'
    }
    return check(request)
  }
  const answers = await Promise.all([ask(conversation.token), ask(conversation.token), ask(conversation.token)])
  desk.refuse = check
  expect(refused).toBeGreaterThan(0)
  expect(answers.at(-1)).toContain('nobody said hello')
  expect(sqlite.prepare('select token from tool_server_token').pluck().get()).not.toBe(before)
})

test('a server somebody may not use has no sign-in for them, and another address no token', async () => {
  expect((await visit('/oauth/clients/mcp:secret/authorize', bob)).status).toBe(404)
  expect((await visit('/oauth/clients/mcp:nothing/authorize', conversation.token)).status).toBe(404)
  await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
    TOOL_SERVER_CONNECTIONS: [{ type: 'mcp', url: `${desk.url}/elsewhere`, auth_type: 'oauth_2.1', info: { id: 'desk', name: 'Desk' } }],
  })
  expect(await isSignedIn(conversation.token)).toBe(false)
})

test.each(['file:///etc/passwd', 'ms-settings:privacy', 'http://evil.example/authorize', 'javascript:alert(1)'])(
  'row 103: no browser is sent to %s',
  async (page) => {
    const evil = await startMcpServer([])
    const { origin } = new URL(evil.url)
    evil.refuse = () => Promise.resolve('Bearer')
    evil.documents.set('/.well-known/oauth-protected-resource/mcp', { resource: evil.url, authorization_servers: [origin] })
    evil.documents.set('/.well-known/oauth-authorization-server', {
      issuer: origin,
      authorization_endpoint: page,
      token_endpoint: `${origin}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    })
    const register = await call('POST', '/api/v1/configs/oauth/clients/register', conversation.token, {
      url: evil.url,
      client_id: 'evil',
      client_secret: 'x',
      oauth_client_id: 'gateway',
    })
    const client = (register.body as { oauth_client_info: string }).oauth_client_info
    expect(client).not.toContain('gateway')
    await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
      TOOL_SERVER_CONNECTIONS: [
        { type: 'mcp', url: evil.url, auth_type: 'oauth_2.1_static', info: { id: 'evil', name: 'Evil', oauth_client_info: client } },
      ],
    })
    const reply = await visit('/oauth/clients/mcp:evil/authorize', conversation.token)
    expect(reply.status).toBe(400)
    expect(reply.headers.get('location')).toBeNull()
    evil.close()
  },
)

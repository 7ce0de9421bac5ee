import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { agreeInBrowser } from '../testing/agree-in-browser.ts'
import type { Script } from '../testing/fake-upstream/script.ts'
import { callJson } from '../testing/read-reply.ts'
import { startTestServer } from '../testing/start-server.ts'
import { startSignIn, type SignInServer } from '../testing/start-sign-in.ts'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'
import { startMcpServer, type TestMcpServer } from '../testing/start-mcp-server.ts'

const script: Script = async ({ messages }) => ({
  steps: [
    messages.some((message) => 'tool_calls' in message)
      ? { kind: 'content', text: 'Done.' }
      : { kind: 'tool', name: 'desk_note', arguments: { text: 'hello' } },
  ],
})

let conversation: Conversation
let desk: TestMcpServer
let signIn: SignInServer
let bob = ''
beforeAll(async () => {
  desk = await startMcpServer([{ name: 'note', description: 'Writes a note' }])
  signIn = await startSignIn(desk)
  conversation = await startConversation({ upstream: { models: ['text'], script } })
  bob = await conversation.addUser('Bob')
  const everybody = [{ principal_type: 'user', principal_id: '*', permission: 'read' }]
  await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
    TOOL_SERVER_CONNECTIONS: [
      {
        type: 'mcp',
        url: desk.url,
        auth_type: 'oauth_2.1',
        info: { id: 'desk', name: 'Desk' },
        config: { access_grants: everybody },
      },
      {
        type: 'mcp',
        url: desk.url,
        auth_type: 'oauth_2.1',
        info: { id: 'secret', name: 'Secret' },
      },
    ],
  })
})
afterAll(async () => {
  await conversation.close()
  signIn.close()
  desk.close()
})

const call = (method: string, path: string, token: string, body?: unknown) =>
  callJson(conversation.server, token, [method, path, body])
const visit = (path: string, token: string) =>
  fetch(conversation.server.url + path, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
  })
const begin = async (token: string) =>
  (await visit('/oauth/clients/mcp:desk/authorize', token)).headers.get('location')!
async function ask(token: string) {
  const request = {
    model: 'text',
    messages: [{ role: 'user', content: 'Note it' }],
    tool_ids: ['server:mcp:desk'],
  }
  conversation.upstream.requests.length = 0
  await (await conversation.complete(request, { token })).json()
  return JSON.stringify(conversation.upstream.requests.at(-1)!.json!['messages'])
}
const isSignedIn = async (token: string) =>
  (
    (await call('GET', '/api/v1/tools/', token)).body as { id: string; authenticated: boolean }[]
  ).find(({ id }) => id === 'server:mcp:desk')!.authenticated

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
  const back = new URL(await agreeInBrowser(address.href, 'ada'))

  // Another user cannot finish the sign-in that was started here, nor can it be finished twice.
  expect((await visit(back.pathname + back.search, bob)).headers.get('location')).toContain(
    '/workspace/tools?error=',
  )
  expect(await isSignedIn(bob)).toBe(false)
  expect(
    (await visit(back.pathname + back.search, conversation.token)).headers.get('location'),
  ).toBe('../../../workspace/tools')
  expect(
    (await visit(back.pathname + back.search, conversation.token)).headers.get('location'),
  ).toContain('/workspace/tools?error=')

  expect(await isSignedIn(conversation.token)).toBe(true)
  expect(await ask(conversation.token)).toContain('nobody said hello')
  expect(await isSignedIn(bob)).toBe(false)
  expect(await ask(bob)).not.toContain('said hello')
  const stored = await conversation.server.context.storage
    .prepare('select token from tool_server_token')
    .all()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain('access_token')
})

test('a page, which proves itself by a header, asks where to go instead of following a link', async () => {
  const reply = await visit('/oauth/clients/mcp:desk/authorize?answer=json', conversation.token)
  const { address } = (await reply.json()) as { address: string }
  expect([reply.status, new URL(address).origin]).toEqual([200, signIn.url])
})

test('a token that is no longer taken is renewed once, however many calls need it', async () => {
  const { storage } = conversation.server.context
  const readToken = () => storage.prepare('select token from tool_server_token').pluck().get()
  const before = await readToken()
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
  const answers = await Promise.all([
    ask(conversation.token),
    ask(conversation.token),
    ask(conversation.token),
  ])
  desk.refuse = check
  expect(refused).toBeGreaterThan(0)
  expect(answers.at(-1)).toContain('nobody said hello')
  expect(await readToken()).not.toBe(before)
})

test('a sign-in that is refused when it is renewed is over, and the person is told to sign in again', async () => {
  expect(await isSignedIn(conversation.token)).toBe(true)
  signIn.memory.revoke()
  const chat = await conversation.createChat('Note it')
  const asked = {
    model: 'text',
    messages: [{ role: 'user', content: 'Note it' }],
    tool_ids: ['server:mcp:desk'],
  }
  await (await conversation.complete({ ...asked, chat_id: chat.chat_id, id: chat.id })).text()
  await conversation.finished(chat)
  expect(await isSignedIn(conversation.token)).toBe(false)
  const again = await conversation.createChat('Note it')
  await (await conversation.complete({ ...asked, chat_id: again.chat_id, id: again.id })).text()
  expect(JSON.stringify((await conversation.finished(again)).statusHistory)).toContain(
    'Sign in to Desk first',
  )
})

test('a server somebody may not use has no sign-in for them, and another address no token', async () => {
  expect((await visit('/oauth/clients/mcp:secret/authorize', bob)).status).toBe(404)
  expect((await visit('/oauth/clients/mcp:nothing/authorize', conversation.token)).status).toBe(404)
  await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
    TOOL_SERVER_CONNECTIONS: [
      {
        type: 'mcp',
        url: `${desk.url}/elsewhere`,
        auth_type: 'oauth_2.1',
        info: { id: 'desk', name: 'Desk' },
      },
    ],
  })
  expect(await isSignedIn(conversation.token)).toBe(false)
})

describe('on the terms of an administrator', () => {
  const CALLBACK = () => `${conversation.server.url}/oauth/clients/mcp:desk/callback`
  const registerAt = async (more: Record<string, unknown>) => {
    const reply = await call('POST', '/api/v1/configs/oauth/clients/register', conversation.token, {
      url: desk.url,
      client_id: 'desk',
      ...more,
    })
    return { ...reply, client: (reply.body as { oauth_client_info?: string }).oauth_client_info }
  }
  const save = (client: string | undefined, authType = 'oauth_2.1') =>
    call('POST', '/api/v1/configs/tool_servers', conversation.token, {
      TOOL_SERVER_CONNECTIONS: [
        {
          type: 'mcp',
          url: desk.url,
          auth_type: authType,
          info: { id: 'desk', name: 'Desk', oauth_client_info: client },
        },
      ],
    })
  const resourceOf = async () =>
    new URL(await begin(conversation.token)).searchParams.get('resource')
  beforeEach(() =>
    call('POST', '/api/v1/configs/tool_servers', conversation.token, {
      TOOL_SERVER_CONNECTIONS: [],
    }),
  )

  test.each([
    ['auto', () => desk.url],
    ['include', () => desk.url],
    ['omit', () => null],
    ['https://notes.example.org/api', () => 'https://notes.example.org/api'],
  ])('a token is asked for as they say; %s', async (resource, expected) => {
    const { client, status } = await registerAt({ oauth_resource: resource })
    expect(status).toBe(200)
    await save(client)
    expect(await resourceOf()).toBe(expected())
  })

  test('a resource that is no address is refused', async () => {
    expect((await registerAt({ oauth_resource: 'anything' })).status).toBe(400)
  })

  test('a client that was registered by hand signs people in, with the resource a server wants to be called by', async () => {
    signIn.memory.addClient({
      client_id: 'by-hand',
      client_secret: 'a-long-secret-of-the-client',
      redirect_uris: [CALLBACK()],
    })
    const { client } = await registerAt({
      oauth_client_id: 'by-hand',
      client_secret: 'a-long-secret-of-the-client',
      oauth_scope: 'notes',
      oauth_resource: desk.url,
    })
    expect(client).not.toContain('a-long-secret')
    await save(client, 'oauth_2.1_static')
    const address = await begin(conversation.token)
    expect(new URL(address).searchParams.get('client_id')).toBe('by-hand')
    const back = new URL(await agreeInBrowser(address, 'ada'))
    expect(
      (await visit(back.pathname + back.search, conversation.token)).headers.get('location'),
    ).toBe('../../../workspace/tools')
    expect(await ask(conversation.token)).toContain('nobody said hello')
  })

  test('the sign-in an administrator names is used where the server names none', async () => {
    const document = desk.documents.get('/.well-known/oauth-protected-resource/mcp')
    desk.documents.delete('/.well-known/oauth-protected-resource/mcp')
    try {
      const { client } = await registerAt({
        oauth_server_url: signIn.url,
        oauth_scope: 'notes',
        oauth_resource: 'include',
      })
      await save(client)
      const back = new URL(await agreeInBrowser(await begin(conversation.token), 'ada'))
      expect(
        (await visit(back.pathname + back.search, conversation.token)).headers.get('location'),
      ).toBe('../../../workspace/tools')
      expect(await isSignedIn(conversation.token)).toBe(true)
    } finally {
      desk.documents.set('/.well-known/oauth-protected-resource/mcp', document!)
    }
    expect((await registerAt({ oauth_server_url: `${desk.url}/nothing` })).status).toBe(400)
  })

  test('a sign-in that forgot the gateway is told about it anew before anybody is sent there', async () => {
    const { client } = await registerAt({ oauth_scope: 'notes' })
    await save(client)
    const first = new URL(await begin(conversation.token))
    expect(new URL(await begin(conversation.token)).searchParams.get('client_id')).toBe(
      first.searchParams.get('client_id'),
    )
    signIn.memory.forgetClient(first.searchParams.get('client_id')!)
    const second = new URL(await begin(conversation.token))
    expect(second.searchParams.get('client_id')).not.toBe(first.searchParams.get('client_id'))
    expect(second.searchParams.get('scope')).toContain('notes')
    const back = new URL(await agreeInBrowser(second.href, 'ada'))
    expect(
      (await visit(back.pathname + back.search, conversation.token)).headers.get('location'),
    ).toBe('../../../workspace/tools')
  })

  test.each([
    [['client_secret_basic'], 'client_secret_basic'],
    [['none', 'client_secret_basic'], 'none'],
    [['private_key_jwt', 'client_secret_post'], 'client_secret_post'],
    [undefined, 'client_secret_post'],
  ])('the gateway proves itself as the sign-in wants it; %j', async (supported, method) => {
    const other = await startMcpServer([])
    const { origin } = new URL(other.url)
    const asked: unknown[] = []
    other.documents.set('/.well-known/oauth-authorization-server', {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      ...(supported && { token_endpoint_auth_methods_supported: supported }),
    })
    other.answers.set('/register', (body) => {
      asked.push(body)
      return { ...(body as object), client_id: 'made' }
    })
    expect((await registerAt({ url: other.url, oauth_server_url: origin })).status).toBe(200)
    expect(asked).toMatchObject([
      { token_endpoint_auth_method: method, grant_types: ['authorization_code', 'refresh_token'] },
    ])
    other.close()
  })
})

test('a browser without a session finishes nothing, but for the app of one person', async () => {
  const everything = {
    type: 'mcp',
    url: desk.url,
    auth_type: 'oauth_2.1',
    info: { id: 'desk', name: '<Desk>' },
  }
  await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
    TOOL_SERVER_CONNECTIONS: [everything],
  })
  const back = new URL(await agreeInBrowser(await begin(conversation.token), 'ada'))
  const anonymous = await fetch(back, { redirect: 'manual' })
  expect(anonymous.status).toBe(404)
  expect(await isSignedIn(conversation.token)).toBe(false)

  const app = await startTestServer({ config: { mode: 'desktop' } })
  const session = await app.call('POST', '/api/v1/auths/desktop', {
    body: { code: await app.context.auth.accounts.createDesktopCode() },
  })
  const { token: owner } = (await session.json()) as { token: string }
  await app.call('POST', '/api/v1/configs/tool_servers', {
    token: owner,
    body: { TOOL_SERVER_CONNECTIONS: [everything] },
  })
  const headers = { authorization: `Bearer ${owner}` }
  const begun = await fetch(`${app.url}/oauth/clients/mcp:desk/authorize`, {
    redirect: 'manual',
    headers,
  })
  const returned = new URL(await agreeInBrowser(begun.headers.get('location')!, 'ada'))
  const forged = new URL(returned)
  forged.searchParams.set('state', 'made-up')
  expect((await fetch(forged)).status).toBe(404)
  const note = await fetch(returned)
  expect(note.status).toBe(200)
  expect(await note.text()).toContain('You are signed in to &#60;Desk&#62;.')
  expect((await fetch(returned)).status).toBe(404)
  const tools = await app.call('GET', '/api/v1/tools/', { token: owner })
  expect(await tools.json()).toContainEqual(
    expect.objectContaining({ id: 'server:mcp:desk', authenticated: true }),
  )
  await app.close()
})

test.each([
  'file:///etc/passwd',
  'ms-settings:privacy',
  'http://evil.example/authorize',
  'javascript:alert(1)',
])('row 103: no browser is sent to %s', async (page) => {
  const evil = await startMcpServer([])
  const { origin } = new URL(evil.url)
  evil.refuse = () => Promise.resolve('Bearer')
  evil.documents.set('/.well-known/oauth-protected-resource/mcp', {
    resource: evil.url,
    authorization_servers: [origin],
  })
  evil.documents.set('/.well-known/oauth-authorization-server', {
    issuer: origin,
    authorization_endpoint: page,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  })
  const register = await call(
    'POST',
    '/api/v1/configs/oauth/clients/register',
    conversation.token,
    {
      url: evil.url,
      client_id: 'evil',
      client_secret: 'x',
      oauth_client_id: 'gateway',
    },
  )
  const client = (register.body as { oauth_client_info: string }).oauth_client_info
  expect(client).not.toContain('gateway')
  await call('POST', '/api/v1/configs/tool_servers', conversation.token, {
    TOOL_SERVER_CONNECTIONS: [
      {
        type: 'mcp',
        url: evil.url,
        auth_type: 'oauth_2.1_static',
        info: { id: 'evil', name: 'Evil', oauth_client_info: client },
      },
    ],
  })
  const reply = await visit('/oauth/clients/mcp:evil/authorize', conversation.token)
  expect(reply.status).toBe(400)
  expect(reply.headers.get('location')).toBeNull()
  evil.close()
})

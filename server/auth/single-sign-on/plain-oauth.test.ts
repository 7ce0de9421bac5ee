import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

let server: TestServer
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Starts a provider of plain OAuth 2.0 with an API. */
async function startProvider() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const state = {
    user: { id: 4711, login: 'ada', name: 'Ada Lovelace', email: null } as Record<
      string,
      unknown
    > | null,
    emails: [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'Ada@example.com', primary: true, verified: true },
    ] as unknown,
    emailStatus: 200,
    token: { access_token: 'gho_access', token_type: 'bearer', scope: 'user:email' } as Record<
      string,
      unknown
    >,
    requests: [] as { path: string; body: string; authorization: string | undefined }[],
  }
  listener.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    void text(request).then((body) => {
      state.requests.push({ path: pathname, body, authorization: request.headers.authorization })
      const answer = (status: number, value: unknown) =>
        response
          .writeHead(status, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(value))
      if (pathname === '/login/oauth/authorize') {
        const back = new URL(searchParams.get('redirect_uri')!)
        back.searchParams.set('code', 'the code')
        back.searchParams.set('state', searchParams.get('state')!)
        return void response.writeHead(302, { Location: back.href }).end()
      }
      if (pathname === '/login/oauth/access_token') return void answer(200, state.token)
      if (pathname === '/user') return void answer(state.user ? 200 : 401, state.user)
      if (pathname === '/user/emails') return void answer(state.emailStatus, state.emails)
      if (pathname === '/applications/client/token')
        return void answer(body.includes('gho_ours') ? 200 : 404, {})
      answer(404, {})
    })
  })
  ends.push(async () => {
    listener.closeAllConnections()
    listener.close()
    await once(listener, 'close')
  })
  return { url, state }
}

async function start(environment: Record<string, string> = {}) {
  const provider = await startProvider()
  server = await startTestServer({
    environment: {
      IDPC_CLIENT_ID: 'client',
      IDPC_CLIENT_SECRET: 'the secret',
      IDPC_AUTHORIZE_URL: `${provider.url}/login/oauth/authorize`,
      IDPC_TOKEN_URL: `${provider.url}/login/oauth/access_token`,
      IDPC_API_URL: provider.url,
      ENABLE_OAUTH_SIGNUP: 'true',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  })
  ends.push(() => server.close())
  return provider
}
const signIn = async (name = 'idpc') =>
  new URL(
    await new TestBrowser().follow(`${server.url}/oauth/${name}/login`, `${server.url}/auth`),
  ).searchParams.get('error')

describe('signing in with a provider of plain OAuth 2.0', () => {
  it('asks with state, PKCE and scope, proves itself, and takes the first verified address', async () => {
    const provider = await start({ IDPC_OAUTH_SCOPE: 'read:user user:email' })
    const reply = await fetch(`${server.url}/oauth/github/login`, { redirect: 'manual' })
    const query = Object.fromEntries(new URL(reply.headers.get('location')!).searchParams)
    expect(query).toMatchObject({
      client_id: 'client',
      scope: 'read:user user:email',
      redirect_uri: `${server.url}/oauth/idpc/callback`,
      code_challenge_method: 'S256',
    })
    expect(await signIn()).toBeNull()
    const form = new URLSearchParams(
      provider.state.requests.find(({ path }) => path === '/login/oauth/access_token')!.body,
    )
    expect(Object.fromEntries(form)).toMatchObject({
      client_id: 'client',
      client_secret: 'the secret',
      code: 'the code',
      grant_type: 'authorization_code',
    })
    expect(form.get('code_verifier')).toMatch(/^\w{64}$/)
    expect(provider.state.requests.find(({ path }) => path === '/user')!.authorization).toBe(
      'Bearer gho_access',
    )
    expect(await server.context.users.findByEmail('ada@example.com')).toMatchObject({
      name: 'Ada Lovelace',
    })
  })

  it('knows people by their number: another name and address later is the same person', async () => {
    const provider = await start()
    await signIn()
    provider.state.user = { id: 4711, login: 'countess' }
    provider.state.emails = [{ email: 'new@example.com', primary: true, verified: true }]
    expect(await signIn()).toBeNull()
    expect(await server.context.users.count()).toBe(1)
  })

  it('joins no account by an address that is not verified', async () => {
    const provider = await start({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: 'true' })
    await server.signUp('Ada')
    provider.state.emails = [{ email: 'ada@example.com', primary: true, verified: false }]
    expect(await signIn()).toBe(
      'This email address is already registered. Sign in the way you did before.',
    )
    provider.state.emails = [{ email: 'ada@example.com', primary: true, verified: true }]
    expect(await signIn()).toBeNull()
  })

  it('ends with a sentence whatever the provider answers', async () => {
    const provider = await start()
    const cases: [() => void, string][] = [
      [
        () => void (provider.state.token = { error: 'bad_verification_code' }),
        'GitHub did not accept the sign-in. Try again, or tell an administrator.',
      ],
      [
        () => void (provider.state.token = { error: 'incorrect_client_credentials' }),
        'GitHub did not accept the sign-in. Try again, or tell an administrator.',
      ],
      [
        () => void (provider.state.user = null),
        'GitHub did not say who you are. Try again, or tell an administrator.',
      ],
      [
        () => void (provider.state.user = { login: 'x' }),
        'GitHub did not say who you are. Try again, or tell an administrator.',
      ],
      [
        () => void (provider.state.emailStatus = 404),
        'GitHub did not tell your e-mail address. Ask an administrator.',
      ],
      [
        () => void (provider.state.emails = []),
        'GitHub did not tell your e-mail address. Ask an administrator.',
      ],
      [
        () => void (provider.state.emails = 'x'),
        'GitHub did not tell your e-mail address. Ask an administrator.',
      ],
      [
        () => void (provider.state.emails = [null, 7, { email: 7 }, []]),
        'GitHub did not tell your e-mail address. Ask an administrator.',
      ],
    ]
    const good = structuredClone({ ...provider.state, requests: [] })
    for (const [change, sentence] of cases) {
      Object.assign(provider.state, structuredClone(good))
      change()
      expect(await signIn(), change.toString()).toBe(sentence)
    }
    expect(await server.context.users.count()).toBe(0)
  })

  it('exchanges only tokens the provider says were made for this client', async () => {
    await start({ ENABLE_OAUTH_TOKEN_EXCHANGE: 'true' })
    await signIn()
    const exchange = async (token: string) =>
      (await server.call('POST', '/api/v1/auths/oauth/idpc/token/exchange', { body: { token } }))
        .status
    expect([await exchange('gho_ours'), await exchange('gho_foreign')]).toEqual([200, 403])
  })
})

import { findInOrder } from '../../lib/in-order.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startSingleSignOn, type SingleSignOnWorld } from '../../testing/start-single-sign-on.ts'
import { TestBrowser } from '../../testing/test-browser.ts'
import { SingleSignOnStore } from './store.ts'

let world: SingleSignOnWorld
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
})

const idOf = async (email: string): Promise<string> =>
  (await world.server.context.users.findByEmail(email))!.id
const tokensOf = async (email: string) =>
  world.server.context.auth.singleSignOn.sessions.tokensOf({ userId: await idOf(email) })
const rows = async () =>
  world.server.context.storage
    .prepare<[], Record<string, unknown>>('select * from oauth_session')
    .all()
const renewals = () => world.provider.state.requests.filter((line) => line === 'POST /token').length
const later = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })

/** Signs in as a client that is not a page; resolves with its token and the browser. */
async function enter(person = 'ada') {
  const program = new TestBrowser({ isPage: false })
  await world.signIn(person, program)
  return { program, token: program.cookies.get('token')! }
}
const call = (token: string, method: string, path: string) =>
  world.server.call(method, `/api/v1${path}`, { token })
const json = async (reply: Promise<Response>) => (await reply).json() as Promise<never>

describe('tokens of providers', () => {
  it('are kept encrypted, shown to nobody, and ended by their owner and by administrators', async () => {
    world = await startSingleSignOn({ OAUTH_SCOPES: 'openid email profile offline_access' })
    const { token, program } = await enter()
    const listed = (await json(call(token, 'GET', '/auths/oauth/sessions'))) as Record<
      string,
      unknown
    >[]
    expect(listed).toMatchObject([
      { provider: 'oidc', user_id: await idOf('ada@example.com'), is_renewable: true },
    ])
    expect(Object.keys(listed[0]!).toSorted()).toEqual([
      'created_at',
      'expires_at',
      'id',
      'is_renewable',
      'provider',
      'updated_at',
      'user_id',
    ])
    const kept = (await tokensOf('ada@example.com'))!
    const everything = JSON.stringify([await rows(), listed])
    for (const secret of [
      kept.access_token,
      kept.refresh_token!,
      kept.id_token!,
      program.cookies.get('oauth_session_id')!,
    ]) {
      expect(secret.length).toBeGreaterThan(20)
      expect(everything).not.toContain(secret)
    }
    // Tokens moved to another row, or changed by a byte, cannot be decrypted.
    await world.server.context.storage.prepare("update oauth_session set id = 'another'").run()
    expect(await tokensOf('ada@example.com')).toBeNull()
    expect(await rows()).toEqual([])

    await enter()
    expect((await call(token, 'DELETE', '/auths/oauth/sessions/oidc')).status).toBe(200)
    expect((await call(token, 'DELETE', '/auths/oauth/sessions/oidc')).status).toBe(404)
    expect((await call(token, 'DELETE', '/auths/oauth/sessions/nobody')).status).toBe(404)
    world.provider.people['eve'] = { email: 'eve@example.com' }
    const eve = await enter('eve')
    const path = `/users/${await idOf('eve@example.com')}/oauth/sessions`
    expect((await call(eve.token, 'GET', path)).status).toBe(401)
    const [session] = (await json(call(token, 'GET', path))) as { id: string }[]
    expect(
      (
        await call(
          token,
          'DELETE',
          `/users/${await idOf('ada@example.com')}/oauth/sessions/${session!.id}`,
        )
      ).status,
    ).toBe(404)
    expect(await json(call(token, 'DELETE', `${path}/${session!.id}`))).toBe(true)
    expect((await call(token, 'GET', path)).status).toBe(400)
    expect((await call(token, 'GET', '/users/nobody/oauth/sessions')).status).toBe(404)
  })

  it('have a secret of their own where one is set; another one ends them, and nothing else', async () => {
    world = await startSingleSignOn({ OAUTH_SESSION_TOKEN_ENCRYPTION_KEY: 'one secret' })
    await enter()
    expect(await tokensOf('ada@example.com')).not.toBeNull()
    const [row] = await rows()
    expect(
      world.server.context.secrets.decrypt(
        `oauth_session|${String(row!['id'])}|tokens`,
        String(row!['tokens']),
      ),
    ).toBeNull()
  })

  it('are renewed before they end, by one for all who wait; what does not hold any more is forgotten', async () => {
    world = await startSingleSignOn(
      { OAUTH_SCOPES: 'openid email profile offline_access' },
      { provider: { accessTokenSeconds: 300 } },
    )
    await enter()
    const first = (await tokensOf('ada@example.com'))!
    expect((await tokensOf('ada@example.com'))!.access_token).toBe(first.access_token)
    const asked = renewals()
    later(250)
    const renewed = await Promise.all(Array.from({ length: 10 }, () => tokensOf('ada@example.com')))
    expect(renewals()).toBe(asked + 1)
    expect(new Set(renewed.map((tokens) => tokens!.access_token)).size).toBe(1)
    expect(renewed[0]!.access_token).not.toBe(first.access_token)
    expect(await rows()).toHaveLength(1)
    world.provider.memory.revoke()
    later(1000)
    expect(await tokensOf('ada@example.com')).toBeNull()
    expect(await rows()).toEqual([])
  })

  it('are renewed once, also for a call that read them before and comes on after the renewal', async () => {
    world = await startSingleSignOn(
      { OAUTH_SCOPES: 'openid email profile offline_access' },
      { provider: { accessTokenSeconds: 300 } },
    )
    await enter()
    const asked = renewals()
    later(250)
    const { promise: isRenewed, resolve: goOn } = Promise.withResolvers<void>()
    const list = vi.spyOn(SingleSignOnStore.prototype, 'listSessions')
    list.mockImplementationOnce(async function (this: SingleSignOnStore, userId) {
      const stored = await this.listSessions(userId)
      await isRenewed
      return stored
    })
    const late = tokensOf('ada@example.com')
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(2))
    const renewed = await tokensOf('ada@example.com')
    goOn()
    expect(await late).toEqual(renewed)
    expect(renewals()).toBe(asked + 1)
    list.mockRestore()
  })

  it('that live for a minute are used for half of it, instead of being renewed at every use', async () => {
    world = await startSingleSignOn(
      { OAUTH_SCOPES: 'openid email profile offline_access' },
      { provider: { accessTokenSeconds: 60 } },
    )
    await enter()
    const asked = renewals()
    const first = (await tokensOf('ada@example.com'))!
    later(20)
    expect((await tokensOf('ada@example.com'))!.access_token).toBe(first.access_token)
    expect(renewals()).toBe(asked)
    later(15)
    expect((await tokensOf('ada@example.com'))!.access_token).not.toBe(first.access_token)
    expect(renewals()).toBe(asked + 1)
  })

  it('without a refresh token hold until they end', async () => {
    world = await startSingleSignOn({}, { provider: { accessTokenSeconds: 300 } })
    world.provider.state.givesRefreshTokens = false
    await enter()
    expect(await rows()).toMatchObject([{ is_renewable: 0 }])
    later(280)
    expect(await tokensOf('ada@example.com')).not.toBeNull()
    later(21)
    expect(await tokensOf('ada@example.com')).toBeNull()
    expect(await rows()).toEqual([])
  })

  it('a provider that cannot be reached for a moment costs nothing while the token holds', async () => {
    world = await startSingleSignOn(
      { OAUTH_SCOPES: 'openid email profile offline_access', OAUTH_TIMEOUT: '1' },
      { provider: { accessTokenSeconds: 300 } },
    )
    await enter()
    const first = (await tokensOf('ada@example.com'))!
    world.provider.state.isSilent = true
    later(280)
    expect((await tokensOf('ada@example.com'))!.access_token).toBe(first.access_token)
    later(100)
    expect(await tokensOf('ada@example.com')).toBeNull()
    expect(await rows()).toEqual([])
  })

  it('the oldest go beyond OAUTH_MAX_SESSIONS_PER_USER, those of others stay', async () => {
    world = await startSingleSignOn({ OAUTH_MAX_SESSIONS_PER_USER: '2' })
    world.provider.people['eve'] = { email: 'eve@example.com' }
    await enter('eve')
    const ids: unknown[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      await enter()
      ids.push(
        (await findInOrder(
          await rows(),
          async ({ id, user_id }) =>
            user_id === (await idOf('ada@example.com')) && !ids.includes(id),
        ))!['id'],
      )
    }
    const left = (await rows()).map(({ id }) => id)
    expect(left).toHaveLength(3)
    expect(ids.slice(2).every((id) => left.includes(id))).toBe(true)
  })

  it('go with the account', async () => {
    world = await startSingleSignOn()
    await world.server.signUp('Root')
    await enter()
    await world.server.context.users.remove(await idOf('ada@example.com'))
    expect(await rows()).toEqual([])
    expect(
      await world.server.context.storage.prepare('select * from oauth_identity').all(),
    ).toEqual([])
    // The same user gets a new account afterwards.
    await enter()
    expect(await idOf('ada@example.com')).toBeTruthy()
  })
})

describe('cookies and signing out', () => {
  it('every cookie of a sign-in has its attributes, and the one with the ID token is there only where it is switched on', async () => {
    world = await startSingleSignOn()
    const lines: string[] = []
    const program = new TestBrowser({ isPage: false })
    const address = await program.follow(
      (await program.fetch(`${world.server.url}/oauth/oidc/login`)).headers.get('location')!,
      `${world.server.url}/oauth`,
    )
    const end = await program.fetch(address)
    lines.push(...end.headers.getSetCookie())
    const shape = (line: string) =>
      line.replace(/=[^;]*/, '').replace(/Max-Age=\d{2,}/, 'Max-Age=n')
    expect(end.status).toBe(307)
    expect(lines.map(shape)).toEqual([
      expect.stringMatching(
        /^oauth_state_[\da-f]{16}; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      'token; Max-Age=n; Path=/; HttpOnly; SameSite=Lax',
      'oauth_session_id; Max-Age=n; Path=/; HttpOnly; SameSite=Lax',
      'oauth_id_token; Max-Age=n; Path=/; HttpOnly; SameSite=Lax',
    ])
    await world.set({ ENABLE_OAUTH_ID_TOKEN_COOKIE: false })
    const again = new TestBrowser()
    await world.signIn('ada', again)
    expect([again.cookies.has('oauth_session_id'), again.cookies.has('oauth_id_token')]).toEqual([
      true,
      false,
    ])
  })

  it('a new sign-in of the same browser replaces the one before', async () => {
    world = await startSingleSignOn()
    const { program } = await enter()
    const before = program.cookies.get('oauth_session_id')
    await world.signIn('ada', program)
    expect(program.cookies.get('oauth_session_id')).not.toBe(before)
    expect(await rows()).toHaveLength(1)
  })

  it('signing out ends it, clears the cookies and leads to the page of the provider', async () => {
    world = await startSingleSignOn()
    const { program } = await enter()
    const idToken = program.cookies.get('oauth_id_token')!
    const reply = await program.fetch(`${world.server.url}/api/v1/auths/signout`, {
      method: 'POST',
    })
    const { redirect_url: address } = (await reply.json()) as { redirect_url: string }
    const url = new URL(address)
    expect(url.origin).toBe(world.provider.url)
    expect(url.searchParams.get('id_token_hint')).toBe(idToken)
    expect(
      [...program.cookies.keys()].filter((name) => name.startsWith('oauth_') || name === 'token'),
    ).toEqual([])
    expect(await rows()).toEqual([])
    // The secret of a sign-in without the session of its owner ends nothing.
    const owner = await enter()
    const thief = new TestBrowser({ isPage: false })
    thief.cookies.set('oauth_session_id', owner.program.cookies.get('oauth_session_id')!)
    const stolen = await thief.fetch(`${world.server.url}/api/v1/auths/signout`, { method: 'POST' })
    expect(await stolen.json()).toEqual({ status: true })
    expect(await rows()).toHaveLength(1)
  })

  it('leads where the settings say instead', async () => {
    world = await startSingleSignOn({
      WEBUI_AUTH_SIGNOUT_REDIRECT_URL: 'https://example.org/bye',
      OPENID_END_SESSION_ENDPOINT: 'https://example.org/end',
    })
    const { program } = await enter()
    const out = async (browser: TestBrowser) =>
      (
        (await (
          await browser.fetch(`${world.server.url}/api/v1/auths/signout`, { method: 'POST' })
        ).json()) as { redirect_url: string }
      ).redirect_url
    expect(await out(program)).toMatch(
      /^https:\/\/example\.org\/end\?id_token_hint=.+&post_logout_redirect_uri=https%3A%2F%2Fexample\.org%2Fbye$/,
    )
    // A user who did not sign in with a provider is not redirected to one.
    expect(await out(new TestBrowser({ isPage: false }))).toBe('https://example.org/bye')
  })
})

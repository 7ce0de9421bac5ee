import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import {
  ADA,
  startSingleSignOn,
  type SingleSignOnWorld,
} from '../../testing/start-single-sign-on.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

let world: SingleSignOnWorld
afterEach(() => world.close())

const call = (path: string, init: RequestInit = {}) => fetch(world.server.url + path, init)
const errorOf = (url: URL): string | null => url.searchParams.get('error')

/** Does what the page does at the end of a sign-in: exchanges the code for a session. */
async function takeOver(browser: TestBrowser, url: URL) {
  const code = new URLSearchParams(url.hash.slice(1)).get('code')
  const response = await browser.fetch(`${world.server.url}/api/v1/auths/oauth/session`, {
    method: 'POST',
    body: JSON.stringify({ code }),
    headers: { 'Content-Type': 'application/json', Origin: world.server.url },
  })
  return {
    status: response.status,
    key: response.headers.get('x-session-key'),
    body: (await response.json()) as Record<string, unknown>,
  }
}

describe('signing in with an OpenID provider', () => {
  it('leads a browser there and back, and gives its page the second half of the session by a single-use code', async () => {
    world = await startSingleSignOn()
    const config = (await (await call('/api/config')).json()) as { oauth: unknown }
    expect(config.oauth).toEqual({ providers: { oidc: 'SSO' }, auto_redirect: false })
    const browser = new TestBrowser()
    const url = await world.signIn('ada', browser)
    expect(errorOf(url)).toBeNull()
    expect(url.href).not.toContain('session-')
    const session = await takeOver(browser, url)
    expect(session).toMatchObject({
      status: 200,
      body: { email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin', token: '' },
    })
    expect(session.key).toMatch(/^session-/)
    const headers = { 'X-Session-Key': session.key! }
    expect((await browser.fetch(`${world.server.url}/api/v1/chats/`, { headers })).status).toBe(200)
    // The cookie alone opens nothing, and the code is spent.
    expect((await browser.fetch(`${world.server.url}/api/v1/chats/`)).status).toBe(401)
    expect((await takeOver(browser, url)).status).toBe(401)
  })

  it('takes no code from a browser with another cookie, nor from a page of another site', async () => {
    world = await startSingleSignOn()
    const browser = new TestBrowser()
    const url = await world.signIn('ada', browser)
    expect((await takeOver(new TestBrowser(), url)).status).toBe(401)
    const other = new TestBrowser()
    world.provider.people['eve'] = { email: 'eve@example.com', name: 'Eve' }
    await world.signIn('eve', other)
    expect((await takeOver(other, url)).status).toBe(401)
    const foreign = await browser.fetch(`${world.server.url}/api/v1/auths/oauth/session`, {
      method: 'POST',
      body: JSON.stringify({ code: 'x'.repeat(43) }),
      headers: { 'Content-Type': 'application/json', Origin: 'http://127.0.0.1:1' },
    })
    expect(foreign.status).toBe(403)
    expect((await takeOver(browser, url)).status).toBe(200)
  })

  it('gives a program its whole token as the cookie, and both spellings of the way back work', async () => {
    world = await startSingleSignOn()
    const program = new TestBrowser({ isPage: false })
    const url = await world.signIn('ada', program)
    expect([url.pathname, url.hash]).toEqual(['/auth', ''])
    const headers = { Authorization: `Bearer ${program.cookies.get('token')}` }
    expect((await call('/api/v1/auths/', { headers })).status).toBe(200)
    await world.set({ OPENID_REDIRECT_URI: `${world.server.url}/oauth/oidc/login/callback` })
    const again = new TestBrowser({ isPage: false })
    expect(errorOf(await world.signIn('ada', again))).toBeNull()
  })

  it('asks with the code flow, PKCE S256, state, nonce and the address that is registered, and for an audience where one is set', async () => {
    world = await startSingleSignOn({
      OAUTH_SCOPES: 'openid email',
      OAUTH_AUDIENCE: 'https://api.example.org',
    })
    const response = await call('/oauth/oidc/login', { redirect: 'manual' })
    expect(response.status).toBe(302)
    const query = Object.fromEntries(new URL(response.headers.get('location')!).searchParams)
    expect(query).toMatchObject({
      client_id: 'gateway',
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      redirect_uri: `${world.server.url}/oauth/oidc/callback`,
      audience: 'https://api.example.org',
    })
    expect(
      [query['state'], query['nonce'], query['code_challenge']].every(
        (value) => value!.length >= 43,
      ),
    ).toBe(true)
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(
      /^oauth_state_[\da-f]{16}=v1\.\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(cookie).not.toContain(query['nonce'])
  })

  it('lets parameters of an administrator change nothing the gateway itself sends', async () => {
    const params = {
      prompt: 'login',
      hd: 'example.com',
      state: 'evil',
      nonce: 'evil',
      redirect_uri: 'https://evil.example',
      client_id: 'evil',
    }
    world = await startSingleSignOn({
      IDPA_CLIENT_ID: 'gateway',
      IDPA_CLIENT_SECRET: 'the secret of the gateway',
      IDPA_OAUTH_AUTHORIZE_PARAMS: JSON.stringify({
        ...params,
        Code_Challenge: 'evil',
        response_type: 'token',
        scope: 'evil',
      }),
    })
    await world.set({ IDPA_PROVIDER_URL: world.provider.discoveryUrl })
    const response = await call('/oauth/idpa/login', { redirect: 'manual' })
    const url = new URL(response.headers.get('location')!)
    expect(url.searchParams.get('prompt')).toBe('login')
    expect(url.searchParams.get('hd')).toBe('example.com')
    expect(url.href).not.toContain('evil')
    expect(errorOf(await world.signIn('ada', new TestBrowser(), { provider: 'google' }))).toBeNull()
  })

  it('knows people by issuer and subject: another address or name later changes nothing, unless a setting says so', async () => {
    world = await startSingleSignOn()
    await world.signIn('ada')
    const { users } = world.server.context
    const id = (await users.findByEmail(ADA.email))!.id
    world.provider.people['ada'] = {
      email: 'new@example.com',
      email_verified: true,
      name: 'Countess',
    }
    const browser = new TestBrowser()
    expect((await takeOver(browser, await world.signIn('ada', browser))).body).toMatchObject({
      id,
      email: ADA.email,
      name: ADA.name,
    })
    await world.set({ OAUTH_UPDATE_NAME_ON_LOGIN: true, OAUTH_UPDATE_EMAIL_ON_LOGIN: true })
    await world.signIn('ada')
    expect(await users.get(id)).toMatchObject({ email: 'new@example.com', name: 'Countess' })
    expect(await users.count()).toBe(1)
  })

  it('makes accounts only while that is switched on, with the role of new accounts, and takes the address for a name where none came', async () => {
    world = await startSingleSignOn({ DEFAULT_USER_ROLE: 'pending' })
    await world.signIn('ada')
    await world.set({ ENABLE_OAUTH_SIGNUP: false })
    world.provider.people['eve'] = { email: 'Eve@Example.com' }
    expect(errorOf(await world.signIn('eve'))).toBe(
      'There is no account for you here. Ask an administrator for one.',
    )
    await world.set({ ENABLE_OAUTH_SIGNUP: true })
    expect(errorOf(await world.signIn('eve'))).toBeNull()
    const { users, settings } = world.server.context
    expect(await users.findByEmail('eve@example.com')).toMatchObject({
      role: 'pending',
      name: 'eve@example.com',
    })
    // Creating the first account closed sign-up with a password.
    expect(settings.get('ENABLE_SIGNUP')).toBe(false)
  })

  it('reads address, name and subject from the claims that are named, also nested ones', async () => {
    world = await startSingleSignOn({
      OAUTH_EMAIL_CLAIM: 'realm.mail',
      OAUTH_USERNAME_CLAIM: 'realm.who',
      OAUTH_SUB_CLAIM: 'upn',
    })
    world.provider.people['ada'] = {
      upn: 'ada-1',
      realm: { mail: 'ada@example.org', who: 'A. L.' },
    }
    expect(errorOf(await world.signIn('ada'))).toBeNull()
    const user = (await world.server.context.users.findByEmail('ada@example.org'))!
    expect(user.name).toBe('A. L.')
    world.provider.people['ada2'] = { upn: 'ada-1', realm: { mail: 'other@example.org' } }
    await world.signIn('ada2')
    expect(await world.server.context.users.count()).toBe(1)
    delete world.provider.people['ada']!['upn']
    expect(errorOf(await world.signIn('ada'))).toContain('did not say who you are')
  })

  it('row 78: lets in only the listed domains, compared whole, and addresses without tricks', async () => {
    world = await startSingleSignOn({ OAUTH_ALLOWED_DOMAINS: 'example.com' })
    await world.signIn('ada')
    const addresses = [
      'eve@example.org',
      'eve@sub.example.com',
      'eve@notexample.com',
      'eve@example.com.evil.org',
      'eve@evil.org@example.com',
    ]
    for (const email of [
      ...addresses,
      'eve@example.com\u200b',
      'e\uff56e@example.com',
      '"eve@evil.org"@example.com',
      '',
      'eve',
      7,
      ['eve@example.com'],
      { a: 1 },
    ]) {
      world.provider.people['eve'] = { email, email_verified: true }
      expect(errorOf(await world.signIn('eve')), JSON.stringify(email)).not.toBeNull()
    }
    expect(await world.server.context.users.count()).toBe(1)
    world.provider.people['eve'] = { email: 'eve@EXAMPLE.com' }
    expect(errorOf(await world.signIn('eve'))).toBeNull()
  })

  it('rows 76, 77: joins accounts by an address only where that is switched on and the provider vouches for it', async () => {
    world = await startSingleSignOn({ SIGNUP_TRIES_PER_ADDRESS: '100' })
    await world.server.signUp('Root')
    await world.set({ ENABLE_SIGNUP: true })
    const stranger = await world.server.signUp('Ada')
    const { users } = world.server.context
    const id = (await users.findByEmail(ADA.email))!.id
    const taken = 'This email address is already registered. Sign in the way you did before.'
    expect(errorOf(await world.signIn('ada'))).toBe(taken)
    await world.set({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: true })
    for (const email_verified of [false, undefined, 'no', 1, null]) {
      world.provider.people['ada'] = { ...ADA, email_verified }
      expect(errorOf(await world.signIn('ada')), String(email_verified)).toBe(taken)
    }
    world.provider.people['ada'] = { ...ADA }
    const browser = new TestBrowser()
    expect((await takeOver(browser, await world.signIn('ada', browser))).body).toMatchObject({ id })
    // Ownership of the address had not been proved before: the account that registered it first is
    // signed out.
    expect(
      (await call('/api/v1/auths/', { headers: { Authorization: `Bearer ${stranger}` } })).status,
    ).toBe(401)
    const password = { email: ADA.email, password: 'correct horse battery' }
    expect(
      (await world.server.call('POST', '/api/v1/auths/signin', { body: password })).status,
    ).toBe(400)
    // A second identity with the same address is a different user.
    world.provider.people['impostor'] = { ...ADA }
    expect(errorOf(await world.signIn('impostor'))).toBe(taken)
  })

  it('keeps password and keys of an account an administrator made when it is joined', async () => {
    world = await startSingleSignOn({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: 'true' })
    const root = await world.server.signUp('Root')
    const body = { name: 'Ada', email: ADA.email, password: 'one of her own', role: 'user' }
    await world.server.call('POST', '/api/v1/auths/add', { token: root, body })
    expect(errorOf(await world.signIn('ada'))).toBeNull()
    expect((await world.server.call('POST', '/api/v1/auths/signin', { body })).status).toBe(200)
  })

  it('leads nowhere but to a path of its own afterwards', async () => {
    world = await startSingleSignOn()
    const end = await world.signIn('ada', new TestBrowser(), { redirect: '/c/1?x=2' })
    expect(end.searchParams.get('redirect')).toBe('/c/1?x=2')
    const evil = [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
      'evil',
      '/%09/x y',
      '/.//evil.example',
    ]
    for (const redirect of evil) {
      const url = await world.signIn('ada', new TestBrowser(), { redirect })
      expect([url.origin, url.searchParams.get('redirect')], redirect).toEqual([
        world.server.url,
        null,
      ])
    }
  })

  it('goes straight to the only provider where nothing else is offered', async () => {
    world = await startSingleSignOn({
      OAUTH_AUTO_REDIRECT: 'true',
      ENABLE_LOGIN_FORM: 'false',
      OAUTH_PROVIDER_NAME: 'Example',
    })
    const oauth = async () =>
      ((await (await call('/api/config')).json()) as { oauth: unknown }).oauth
    expect(await oauth()).toEqual({ providers: { oidc: 'Example' }, auto_redirect: true })
    await world.set({ ENABLE_LDAP: true })
    expect(await oauth()).toMatchObject({ auto_redirect: false })
    await world.set({ ENABLE_LDAP: false, ENABLE_LOGIN_FORM: true })
    expect(await oauth()).toMatchObject({ auto_redirect: false })
    await world.set({ ENABLE_LOGIN_FORM: false, IDPC_CLIENT_ID: 'x', IDPC_CLIENT_SECRET: 'y' })
    expect(await oauth()).toEqual({
      providers: { oidc: 'Example', idpc: 'GitHub' },
      auto_redirect: false,
    })
  })

  it('leads a browser that opens the sign-in page there, unless it is signed in, was sent back or asks for the form', async () => {
    const uiDir = createTemporaryFolder()
    writeFileSync(path.join(uiDir, 'index.html'), '<title>Sign in</title>')
    world = await startSingleSignOn(
      { OAUTH_AUTO_REDIRECT: 'true', ENABLE_LOGIN_FORM: 'false' },
      { config: { uiDir } },
    )
    const open = async (target: string, headers: Record<string, string> = {}) => {
      const page = await call(target, { redirect: 'manual', headers })
      const location = page.headers.get('location')
      return location === null ? page.status : new URL(location, page.url).pathname
    }
    expect(await open('/auth')).toBe('/oauth/oidc/login')
    expect(await open('/auth/')).toBe('/oauth/oidc/login')
    for (const query of ['?form=true', '?error=No', '?redirect=/c/1'])
      expect(await open(`/auth${query}`)).toBe(200)
    expect(await open('/auth', { cookie: 'token=one' })).toBe(200)
    expect(await open('/')).toBe(200)
    await world.set({ ENABLE_LOGIN_FORM: true })
    expect(await open('/auth')).toBe(200)
  })

  it('lets only people of the tenant in that is set', async () => {
    world = await startSingleSignOn({
      IDPB_CLIENT_ID: 'gateway',
      IDPB_CLIENT_SECRET: 'the secret of the gateway',
      IDPB_CLIENT_TENANT_ID: 'tenant-1',
    })
    await world.set({
      IDPB_PROVIDER_URL: world.provider.discoveryUrl,
      IDPB_REDIRECT_URI: `${world.server.url}/oauth/idpb/callback`,
    })
    const response = await call('/oauth/idpb/login', { redirect: 'manual' })
    expect(new URL(response.headers.get('location')!).searchParams.get('scope')).toBe(
      'openid email profile',
    )
    expect(errorOf(await world.signIn('ada', new TestBrowser(), { provider: 'idpb' }))).toBeNull()
  })

  it('answers 404 for a provider that is not set up, and for every other name', async () => {
    world = await startSingleSignOn()
    for (const name of [
      'idpa',
      'idpb',
      'idpc',
      'google',
      'nobody',
      '__proto__',
      'constructor',
      'x'.repeat(256),
    ])
      for (const path of ['login', 'callback', 'login/callback?error=x']) {
        const reply = await call(`/oauth/${encodeURIComponent(name)}/${path}`, {
          redirect: 'manual',
        })
        expect([name, reply.status, await reply.json()]).toEqual([
          name,
          404,
          { detail: 'Not Found' },
        ])
      }
  })

  it('does not let the environment be overruled while ENABLE_OAUTH_PERSISTENT_CONFIG is off', async () => {
    world = await startSingleSignOn({
      ENABLE_OAUTH_PERSISTENT_CONFIG: 'false',
      OPENID_PROVIDER_URL: 'http://127.0.0.1:9',
    })
    const root = await world.server.signUp('Root')
    const update = (values: object) =>
      world.server.call('POST', '/api/v1/settings', { token: root, body: { values } })
    const refused = await update({ OAUTH_CLIENT_ID: 'another' })
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      400,
      'OAUTH_CLIENT_ID is decided by the environment of the gateway. Start it with ENABLE_OAUTH_PERSISTENT_CONFIG=true to change it here.',
    ])
    const rows = (await (
      await world.server.call('GET', '/api/v1/settings', { token: root })
    ).json()) as {
      key: string
      locked: boolean
      locked_unless?: string
    }[]
    const row = rows.find(({ key }) => key === 'OAUTH_PROVIDER_NAME')
    expect(row).toMatchObject({ locked: true, locked_unless: 'ENABLE_OAUTH_PERSISTENT_CONFIG' })
    expect((await update({ ENABLE_SIGNUP: true })).status).toBe(200)
  })
})

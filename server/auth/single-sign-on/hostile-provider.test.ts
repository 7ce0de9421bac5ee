import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { startHostileProvider, type HostileProvider } from '../../testing/start-hostile-provider.ts'
import { CLIENT } from '../../testing/start-open-id-provider.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

let server: TestServer
let provider: HostileProvider
let other: HostileProvider
let counter = 0
let addresses = 0

beforeAll(async () => {
  provider = await startHostileProvider()
  other = await startHostileProvider()
  server = await startTestServer({
    environment: {
      ENABLE_OAUTH_PERSISTENT_CONFIG: 'true',
      ENABLE_OAUTH_SIGNUP: 'true',
      OAUTH_CLIENT_ID: CLIENT.id,
      OAUTH_CLIENT_SECRET: CLIENT.secret,
      OPENID_PROVIDER_URL: provider.discoveryUrl,
      IDPA_CLIENT_ID: CLIENT.id,
      IDPA_CLIENT_SECRET: CLIENT.secret,
      IDPA_PROVIDER_URL: other.discoveryUrl,
      OAUTH_TIMEOUT: '1',
      LOG_LEVEL: 'silent',
    },
  })
  await server.signUp('Root')
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await other.close()
})
afterEach(() => {
  provider.reset()
  other.reset()
  vi.useRealTimers()
})

/** Each browser has its own address, as failures from one address are limited. */
const newBrowser = () => new TestBrowser({ address: `198.51.100.${(addresses += 1)}` })

/**
 * Signs in with the provider's description fetched anew; resolves with the error of the page, or
 * null on success.
 */
async function signIn(browser = newBrowser(), id = 'oidc'): Promise<string | null> {
  await server.context.settings.update({ OAUTH_CLIENT_SECRET: `secret ${(counter += 1)}` })
  const url = new URL(await browser.follow(`${server.url}/oauth/${id}/login`, `${server.url}/auth`))
  expect(browser.cookies.has('token')).toBe(url.searchParams.get('error') === null)
  return url.searchParams.get('error')
}
const UNTRUSTED = 'The answer of SSO could not be trusted. Try again, or tell an administrator.'
const now = (): number => Math.floor(Date.now() / 1000)

describe('ID tokens', () => {
  it('a good one signs in', async () => {
    expect(await signIn()).toBeNull()
  })

  const leftHalf = (text: string) =>
    createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
  it('bound to its access token signs in, bound to another does not', async () => {
    provider.state.claims = { at_hash: leftHalf('access') }
    expect(await signIn()).toBeNull()
    provider.state.claims = { at_hash: leftHalf('another') }
    expect(await signIn()).toBe(UNTRUSTED)
  })

  const broken: Record<string, JWTPayload> = {
    'another issuer': { iss: 'https://evil.example' },
    'no issuer': { iss: undefined },
    'a similar issuer': { iss: 'http://127.0.0.1' },
    'another audience': { aud: 'another' },
    'no audience': { aud: undefined },
    'an empty audience': { aud: [] },
    'several audiences without azp': { aud: ['gateway', 'another'] },
    'several audiences with azp of another': { aud: ['gateway', 'another'], azp: 'another' },
    'no subject': { sub: undefined },
    'an empty subject': { sub: '' },
    'another nonce': { nonce: 'another' },
    'no nonce': { nonce: undefined },
    'an empty nonce': { nonce: '' },
    'an end in the past': { exp: now() - 61 },
    'no end': { exp: undefined },
    'an end of another kind': { exp: 'never' as unknown as number },
    'no time': { iat: undefined },
    'a time ahead': { iat: now() + 3600 },
    'a beginning ahead': { nbf: now() + 3600 },
    'a subject of another kind': { sub: 7 as unknown as string },
    'an issuer of another kind': { iss: ['x'] as unknown as string },
  }
  it.each(Object.keys(broken))('with %s is refused', async (name) => {
    provider.state.claims = broken[name]!
    expect(await signIn()).toBe(UNTRUSTED)
  })

  it('a minute of difference between the clocks is taken', async () => {
    provider.state.claims = { exp: now() - 30, iat: now() - 600 }
    expect(await signIn()).toBeNull()
    provider.state.claims = { iat: now() + 45 }
    expect(await signIn()).toBeNull()
  })

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forgeries: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
    'signed with the key of a stranger': (claims) => provider.sign(claims, {}, provider.stranger),
    'unsigned (alg none)': (claims) => new UnsecuredJWT(claims).encode(),
    'unsigned (alg None)': (claims) => `${encode({ alg: 'None' })}.${encode(claims)}.`,
    'with a cut signature': async (claims) =>
      (await provider.sign(claims)).replace(/\.[^.]*$/, '.'),
    'with a changed payload': async (claims) => {
      const [head, , tail] = (await provider.sign(claims)).split('.')
      return `${head}.${encode({ ...claims, sub: 'root' })}.${tail}`
    },
    'signed with the public key as a secret': (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'own' })
        .sign(Buffer.from(JSON.stringify(provider.publicKey))),
    'signed with the secret of the client': (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(CLIENT.secret.padEnd(32, ' '))),
    'with its own key in the header': async (claims) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
        .sign(privateKey)
    },
    'with an address of keys in the header': (claims) =>
      provider.sign(claims, { jku: `${other.url}/jwks`, kid: 'theirs' }, provider.stranger),
    'of a key nobody publishes': (claims) => provider.sign(claims, { kid: '../../own' }),
    'that is no token': () => 'x',
    'that is empty': () => '',
    'that is a number': () => 7 as unknown as string,
    'an ES256 signature of zeros': (claims) =>
      `${encode({ alg: 'ES256', kid: 'own' })}.${encode(claims)}.${Buffer.alloc(64).toString('base64url')}`,
    'with a critical extension': async (claims) => {
      const [, payload, signature] = (await provider.sign(claims)).split('.')
      return `${encode({ alg: 'RS256', kid: 'own', crit: ['exp'], exp: 1 })}.${payload}.${signature}`
    },
    'that is encrypted': (claims) =>
      `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.${encode(claims)}.c`,
  }
  it.each(Object.keys(forgeries))('%s is refused', async (name) => {
    provider.state.sign = forgeries[name]!
    expect(await signIn()).not.toBeNull()
  })

  it('an answer without an ID token is refused', async () => {
    provider.state.answers.set('/token', { access_token: 'access', token_type: 'Bearer' })
    expect(await signIn()).not.toBeNull()
    provider.state.answers.set('/token', { id_token: 'x' })
    expect(await signIn()).not.toBeNull()
  })
})

describe('mix-up of two providers', () => {
  it('a code of another provider is not taken where providers say who they are', async () => {
    provider.state.metadata = { authorization_response_iss_parameter_supported: true }
    const asked = provider.state.requests.filter(({ path }) => path === '/token').length
    for (const returned of [{ iss: other.url }, {}]) {
      provider.state.returned = returned as Record<string, string>
      expect(await signIn()).toBe(
        'The answer came from another provider than the one that was asked. Begin anew.',
      )
    }
    expect(provider.state.requests.filter(({ path }) => path === '/token').length).toBe(asked)
  })

  it('a sign-in begun with one provider cannot be finished at the address of the other', async () => {
    const browser = newBrowser()
    const location = (await browser.fetch(`${server.url}/oauth/oidc/login`)).headers.get(
      'location',
    )!
    const back = new URL(await browser.follow(location, `${server.url}/oauth/oidc`))
    back.pathname = '/oauth/idpa/callback'
    const end = new URL(await browser.follow(back.href, `${server.url}/auth`))
    expect(end.searchParams.get('error')).toBe(
      'This sign-in was not begun here, or it took too long. Begin it again.',
    )
    expect(other.state.requests.some(({ path }) => path === '/token')).toBe(false)
  })

  it('an ID token of another provider is refused, and the same subject there is somebody else', async () => {
    provider.state.sign = (claims) => other.sign({ ...claims, iss: other.url })
    expect(await signIn()).not.toBeNull()
    provider.reset()
    const { users } = server.context
    const before = await users.count()
    other.state.claims = { email: 'eve2@example.com' }
    expect(await signIn(newBrowser(), 'idpa')).toBeNull()
    expect(await users.count()).toBe(before + 1)
  })
})

describe('providers that lie about themselves', () => {
  const descriptions: Record<string, Record<string, unknown> | string> = {
    'another issuer': { issuer: 'https://evil.example' },
    'no issuer': { issuer: undefined },
    'no token endpoint': { token_endpoint: undefined },
    'no keys': { jwks_uri: undefined },
    'a file for a list of keys': { jwks_uri: 'file:///etc/passwd' },
    'endpoints that are no addresses': { token_endpoint: 'x', jwks_uri: 'y' },
    'plain http elsewhere': { token_endpoint: 'http://evil.example/token' },
    'no sign-in page': { authorization_endpoint: undefined },
    'a script for a sign-in page': { authorization_endpoint: 'javascript:alert(1)' },
  }
  it.each(Object.keys(descriptions))(
    '%s: nobody is signed in, and the sentence says so',
    async (name) => {
      provider.state.metadata = descriptions[name] as Record<string, unknown>
      const error = await signIn()
      expect(error).toMatch(/SSO|provider/)
      expect(error).not.toContain('evil')
    },
  )

  it.each([
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['nothing', ''],
    ['a description without end', Buffer.alloc(3_000_000, 32)],
  ] as const)('%s in place of the description', async (_, body) => {
    provider.state.answers.set('/.well-known/openid-configuration', body)
    expect(await signIn()).toBe(
      'SSO cannot be reached right now. Try again later, or tell an administrator.',
    )
  })

  it('hangs at any step: the sign-in ends after the time that is set', async () => {
    for (const path of ['/.well-known/openid-configuration', '/token', '/jwks', '/me']) {
      provider.state.answers.clear()
      provider.state.answers.set(path, () => undefined)
      provider.state.claims = { email: undefined }
      const began = performance.now()
      expect(await signIn(), path).not.toBeNull()
      expect(performance.now() - began, path).toBeLessThan(8000)
    }
  })

  it('sends a body without end, or redirects: neither is followed', async () => {
    for (const path of ['/token', '/jwks']) {
      provider.state.answers.clear()
      provider.state.answers.set(path, (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        const timer = setInterval(() => response.write(Buffer.alloc(200_000, 32)), 5)
        response.on('close', () => clearInterval(timer))
      })
      expect(await signIn(), path).not.toBeNull()
      provider.state.answers.set(
        path,
        (response) => void response.writeHead(307, { Location: `${other.url}${path}` }).end(),
      )
      const asked = other.state.requests.length
      expect(await signIn(), path).not.toBeNull()
      expect(other.state.requests.length).toBe(asked)
    }
  })

  it('says something else of the person at the userinfo endpoint: not taken for another subject, never over the signed claims', async () => {
    provider.state.claims = { email: undefined }
    provider.state.answers.set('/me', { sub: 'root', email: 'root@example.com' })
    expect(await signIn()).toBe('SSO did not say who you are. Try again, or tell an administrator.')
    provider.state.claims = { name: undefined, sub: 'signed', email: 'signed@example.com' }
    provider.state.answers.set('/me', { sub: 'signed', email: 'root@example.com', name: 'Signed' })
    expect(await signIn()).toBeNull()
    expect((await server.context.users.findByEmail('signed@example.com'))?.name).toBe('Signed')
  })

  it('claim bombs: too much, too deep and strange names do no harm', async () => {
    await server.context.settings.update({
      ENABLE_OAUTH_GROUP_MANAGEMENT: true,
      ENABLE_OAUTH_GROUP_CREATION: true,
      ENABLE_OAUTH_ROLE_MANAGEMENT: true,
      OAUTH_ALLOWED_ROLES: ['user'],
      OAUTH_ROLES_CLAIM: 'a.b.c',
    })
    const many = Array.from({ length: 1001 }, (_, index) => `group ${index}`)
    provider.state.claims = { groups: many, a: { b: { c: ['user'] } } }
    expect(await signIn()).toBe(
      'The provider sent more about this account than can be read. Tell an administrator.',
    )
    expect(await server.context.groups.list()).toEqual([])
    let deep: unknown = 'user'
    for (let level = 0; level < 500; level += 1) deep = { a: deep }
    provider.state.claims = {
      groups: deep,
      a: deep,
      __proto__: { isAdmin: true },
      constructor: 'x',
    }
    expect(await signIn()).toBeNull()
    provider.state.claims = { groups: 'x'.repeat(500_000), a: { b: { c: 'user' } } }
    expect(await signIn()).toBeNull()
    provider.state.claims = {
      groups: ['x'.repeat(300), '', ' ', null, 7, {}, ['y'], 'fine'],
      a: { b: { c: 'user' } },
    }
    expect(await signIn()).toBeNull()
    expect((await server.context.groups.list()).map(({ name }) => name)).toEqual(['7', 'fine'])
    await server.context.settings.update({
      ENABLE_OAUTH_GROUP_MANAGEMENT: false,
      ENABLE_OAUTH_ROLE_MANAGEMENT: false,
    })
  })

  it('changes its keys: a new one is found, at most one look in half a minute', async () => {
    const browser = newBrowser()
    expect(await signIn(browser)).toBeNull()
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    provider.state.keys = [
      { ...(await exportJWK(publicKey)), kid: 'new', alg: 'RS256', use: 'sig' },
    ]
    provider.state.sign = (claims) => provider.sign(claims, { kid: 'new' }, privateKey)
    const looks = () => provider.state.requests.filter(({ path }) => path === '/jwks').length
    const begin = looks()
    const again = async () =>
      new URL(
        await newBrowser().follow(`${server.url}/oauth/oidc/login`, `${server.url}/auth`),
      ).searchParams.get('error')
    for (let tries = 0; tries < 3; tries += 1) expect(await again()).toBe(UNTRUSTED)
    expect(looks()).toBe(begin)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    expect(await again()).toBeNull()
    expect(looks()).toBe(begin + 1)
  })

  it('says what it likes when it refuses: none of it reaches the page or the log in words', async () => {
    provider.state.returned = {
      error: '<img src=x onerror=alert(1)>',
      error_description: 'Call +1 555 to unlock',
      code: '',
    }
    expect(await signIn()).toBe('SSO did not sign you in. Try again, or tell an administrator.')
  })
})

it('sixty failures of one address in a minute are enough; those of another address go on', async () => {
  const finish = async (address: string) => {
    const headers = { 'X-Forwarded-For': address }
    const reply = await fetch(`${server.url}/oauth/oidc/callback?state=x&code=y`, {
      redirect: 'manual',
      headers,
    })
    return new URL(reply.headers.get('location')!).searchParams.get('error')!
  }
  for (let tries = 0; tries < 60; tries += 1) await finish('203.0.113.7')
  expect(await finish('203.0.113.7')).toMatch(/^Too many failed sign-ins from your address/)
  expect(await finish('203.0.113.8')).toMatch(/^This sign-in was not begun here/)
  const headers = { 'X-Forwarded-For': '203.0.113.7' }
  expect(
    (await fetch(`${server.url}/oauth/oidc/login`, { redirect: 'manual', headers })).status,
  ).toBe(429)
})

import { SignJWT } from 'jose'
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/auths.ts'
import {
  bearer,
  startTestGateway,
  type TestGateway,
  SOME_REQUEST,
} from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
let session: Session
let key: string

beforeEach(async () => {
  gateway = await startTestGateway({ settings: { ENABLE_API_KEYS: true } })
  session = await gateway.signUp()
  key = (
    await gateway.call('/api/v1/auths/api_keys', {
      body: { name: 'script' },
      headers: bearer(session),
    })
  ).body.api_key
})
afterEach(() => gateway.close())

const statusWith = async (
  headers: Record<string, string | string[]>,
  path = '/api/v1/auths/',
): Promise<number> => (await gateway.call(path, { headers })).status

describe('the order of credentials', () => {
  it('accepts a session token and an API key as Bearer, in the cookie and in the key header', async () => {
    for (const credential of [session.token, key]) {
      expect(await statusWith({ authorization: `Bearer ${credential}` })).toBe(200)
      expect(await statusWith({ authorization: `bearer  ${credential}` })).toBe(200)
      expect(await statusWith({ cookie: `a=b; token=${credential}; c=d` })).toBe(200)
      expect(await statusWith({ 'x-api-key': credential })).toBe(200)
    }
  })

  it('row 72: the first credential present decides, so a bad one hides a good one behind it', async () => {
    const good = session.token
    expect(await statusWith({ authorization: 'Bearer nonsense', cookie: `token=${good}` })).toBe(
      401,
    )
    expect(await statusWith({ authorization: 'Bearer sk-nonsense', 'x-api-key': key })).toBe(401)
    expect(await statusWith({ cookie: 'token=nonsense', 'x-api-key': key })).toBe(401)
    expect(
      await statusWith({
        authorization: `Bearer ${good}`,
        cookie: 'token=nonsense',
        'x-api-key': 'nonsense',
      }),
    ).toBe(200)
    expect(await statusWith({ cookie: `token=${good}`, 'x-api-key': 'nonsense' })).toBe(200)
  })

  it('passes over an Authorization header of another scheme', async () => {
    expect(
      await statusWith({ authorization: 'Basic YTpi', cookie: `token=${session.token}` }),
    ).toBe(200)
    expect(await statusWith({ authorization: 'Basic YTpi' })).toBe(401)
  })

  it('a key must be written "Authorization: Bearer sk-…"', async () => {
    for (const value of [
      key,
      `Bearer${key}`,
      `Bearer ${key} x`,
      `Bearer "${key}"`,
      `Bearer`,
      `Bearer `,
      `Token: ${key},`,
      `Bearer SK-${key}`,
    ]) {
      expect([value, await statusWith({ authorization: value })]).toEqual([value, 401])
    }
    expect(await statusWith({ authorization: key, cookie: `token=${session.token}` })).toBe(401)
  })

  it('row 71: empty, blank, repeated, comma-joined and huge key headers prove nobody', async () => {
    const values = [
      '',
      ' ',
      `${key},${key}`,
      `${key}, ${key}`,
      [key, key],
      `${key} ${key}`,
      `'${key}'`,
      'x'.repeat(15_000),
      'sk-',
      'undefined',
      'null',
    ]
    for (const value of values)
      expect([value, await statusWith({ 'x-api-key': value })]).toEqual([value, 401])
    expect(await statusWith({ authorization: [`Bearer ${key}`, `Bearer ${key}`] })).toBe(401)
  })

  it('row 73: SQL in a credential or an id is only text', async () => {
    const texts = [
      "' or '1'='1",
      '"; drop table user; --',
      "sk-' or 1=1 --",
      'sk-%',
      '1) union select 1',
    ]
    for (const text of texts) {
      expect(await statusWith({ 'x-api-key': text })).toBe(401)
      expect(
        await statusWith({ ...bearer(session) }, `/api/v1/users/${encodeURIComponent(text)}`),
      ).toBe(404)
    }
    expect(await statusWith(bearer(session))).toBe(200)
  })

  it('CUSTOM_API_KEY_HEADER renames the key header', async () => {
    await gateway.settings.update({ CUSTOM_API_KEY_HEADER: 'X-Gateway-Key' })
    expect(await statusWith({ 'x-gateway-key': key })).toBe(200)
    expect(await statusWith({ 'x-api-key': key })).toBe(401)
  })

  it('row 84: headers that bypass sign-in elsewhere change nothing here', async () => {
    const names = `
      x-middleware-subrequest x-original-url x-rewrite-url x-forwarded-uri x-forwarded-user x-forwarded-email x-forwarded-
      preferred-username x-forwarded-groups x-forwarded-host x-forwarded-server x-forwarded-for x-real-ip x-client-ip
      x-remote-ip x-remote-addr x-originating-ip client-ip true-client-ip cf-connecting-ip forwarded x-remote-user remote-
      user x-user x-user-id x-username x-email x-role x-admin x-is-admin x-auth-user x-auth-token x-auth-request-user
      x-auth-request-email x-authenticated-user x-webauth-user x-token token x-access-token x-session x-session-id
      x-internal x-internal-request x-debug x-test x-service-user-id x-http-method-override x-method-override x-ssl-client-
      verify x-client-verify proxy-authorization`
      .trim()
      .split(/\s+/)
    const values = ['1', 'true', 'admin', session.id]
    expect(names.length * values.length).toBeGreaterThanOrEqual(200)
    for (const name of names) {
      for (const value of values)
        expect([name, await statusWith({ [name]: value })]).toEqual([name, 401])
    }
    expect(await statusWith({ 'user-agent': 'kube-probe/1.0 GoogleHC/1.0' })).toBe(401)
  })
})

describe('row 81: forged and foreign session tokens', () => {
  const secret = () => gateway.secrets.derive('jwt')
  const now = () => Math.floor(Date.now() / 1000)
  const claims = () => ({
    id: session.id,
    jti: 'x',
    ver: 1,
    iat: now(),
    exp: now() + 600,
    aud: 'chat-gateway/api',
  })
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  const signByHand = (
    header: object,
    payload: object,
    hash = 'sha256',
    by: Uint8Array = secret(),
  ): string => {
    const text = `${encode(header)}.${encode(payload)}`
    return `${text}.${createHmac(hash, by).update(text).digest('base64url')}`
  }
  const header = { alg: 'HS256', typ: 'JWT' }

  it('takes a token made by hand exactly like its own', async () => {
    expect(await statusWith(bearer(signByHand(header, claims())))).toBe(200)
  })

  it('refuses every variant', async () => {
    const { exp: _exp, ...withoutEnd } = claims()
    const { jti: _jti, ...withoutId } = claims()
    const [head, body, signature] = session.token.split('.') as [string, string, string]
    const variants: Record<string, string> = {
      'algorithm none': `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims())}.`,
      'algorithm None': `${encode({ alg: 'None', typ: 'JWT' })}.${encode(claims())}.`,
      'none with a signature': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`,
      HS384: signByHand({ alg: 'HS384', typ: 'JWT' }, claims(), 'sha384'),
      HS512: signByHand({ alg: 'HS512', typ: 'JWT' }, claims(), 'sha512'),
      'RS256 header over an HMAC': signByHand({ alg: 'RS256', typ: 'JWT' }, claims()),
      'ES256 with a zero signature': `${encode({ alg: 'ES256', typ: 'JWT' })}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      kid: signByHand({ ...header, kid: '../../dev/null' }, claims()),
      jku: signByHand({ ...header, jku: 'https://evil.com/keys' }, claims()),
      x5u: signByHand({ ...header, x5u: 'https://evil.com/cert' }, claims()),
      jwk: signByHand({ ...header, jwk: { kty: 'oct', k: 'AAAA' } }, claims()),
      crit: signByHand({ ...header, crit: ['exp'] }, claims()),
      'no typ': signByHand({ alg: 'HS256' }, claims()),
      'another typ': signByHand({ alg: 'HS256', typ: 'logout+jwt' }, claims()),
      'no exp': signByHand(header, withoutEnd),
      expired: signByHand(header, { ...claims(), exp: now() - 1 }),
      'exp as text': signByHand(header, { ...claims(), exp: '9999999999' }),
      'two hours in the future': signByHand(header, {
        ...claims(),
        iat: now() + 7200,
        exp: now() + 9000,
      }),
      'not yet valid': signByHand(header, { ...claims(), nbf: now() + 7200 }),
      'no aud': signByHand(header, { ...claims(), aud: undefined }),
      'row 75: another aud': signByHand(header, { ...claims(), aud: 'chat-gateway/file-link' }),
      'no jti': signByHand(header, withoutId),
      'no ver': signByHand(header, { ...claims(), ver: undefined }),
      'another ver': signByHand(header, { ...claims(), ver: 2 }),
      'ver as text': signByHand(header, { ...claims(), ver: '1' }),
      'no id': signByHand(header, { ...claims(), id: undefined }),
      'an unknown id': signByHand(header, { ...claims(), id: 'nobody' }),
      'id as a list': signByHand(header, { ...claims(), id: [session.id] }),
      'an empty secret': signByHand(header, claims(), 'sha256', new Uint8Array(1)),
      'row 74: the key of another purpose': signByHand(
        header,
        claims(),
        'sha256',
        gateway.secrets.derive('encryption'),
      ),
      'a changed signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      'five parts': `${head}.${body}.${signature}.x.y`,
      'not JSON': `${head}.${Buffer.from('{').toString('base64url')}.${signature}`,
    }
    for (const [name, token] of Object.entries(variants)) {
      expect([name, await statusWith(bearer(token))]).toEqual([name, 401])
      expect([name, await gateway.auth.liveCallers.byToken(token, SOME_REQUEST)]).toEqual([
        name,
        null,
      ])
    }
  })

  it('a token signed out stays refused in another spelling that decodes alike', async () => {
    const token = await new SignJWT({ id: session.id, ver: 1 })
      .setProtectedHeader(header)
      .setJti('spelled twice')
      .setIssuedAt()
      .setAudience('chat-gateway/api')
      .setExpirationTime('1h')
      .sign(secret())
    const last = token.at(-1)!
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const twin = token.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1]!
    const before = await statusWith(bearer(twin))
    expect(await statusWith(bearer(token))).toBe(200)
    await gateway.call('/api/v1/auths/signout', { method: 'POST', headers: bearer(token) })
    expect(await statusWith(bearer(token))).toBe(401)
    expect([200, 401]).toContain(before)
    expect(await statusWith(bearer(twin))).toBe(401)
  })
})

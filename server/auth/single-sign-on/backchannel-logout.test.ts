import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UnsecuredJWT, SignJWT, type JWTPayload } from 'jose'
import { WebSocket } from 'ws'
import { isOnPostgres } from '../../testing/create-test-storage.ts'
import { startHostileProvider, type HostileProvider } from '../../testing/start-hostile-provider.ts'
import { CLIENT } from '../../testing/start-open-id-provider.ts'
import { hasRedis, startRedis } from '../../testing/start-redis.ts'
import { startSingleSignOn } from '../../testing/start-single-sign-on.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const now = (): number => Math.floor(Date.now() / 1000)
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0).toReversed()) await end()
})

let provider: HostileProvider
let server: TestServer

async function start(environment: Record<string, string> = {}, dataDir?: string): Promise<void> {
  if (!dataDir) {
    provider = await startHostileProvider()
    ends.push(() => provider.close())
  }
  server = await startTestServer({
    ...(dataDir !== undefined && { dataDir }),
    environment: {
      OAUTH_CLIENT_ID: CLIENT.id,
      OAUTH_CLIENT_SECRET: CLIENT.secret,
      OPENID_PROVIDER_URL: provider.discoveryUrl,
      ENABLE_OAUTH_SIGNUP: 'true',
      ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'true',
      DEFAULT_USER_ROLE: 'user',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  })
  ends.push(() => server.close({ keep: true }))
}

/** Signs in a user whose session the provider calls `sid`; resolves with the client's token. */
async function signIn(sub: string, sid?: string): Promise<string> {
  provider.state.claims = { sub, email: `${sub}@example.com`, sid }
  const program = new TestBrowser({ isPage: false })
  const end = await program.follow(`${server.url}/oauth/oidc/login`, `${server.url}/auth`)
  expect(new URL(end).searchParams.get('error')).toBeNull()
  return program.cookies.get('token')!
}
let counter = 0
const good = (claims: JWTPayload = {}): JWTPayload => ({
  iss: provider.url,
  aud: CLIENT.id,
  iat: now(),
  exp: now() + 120,
  jti: `jti ${(counter += 1)}`,
  sub: 'eve',
  events: { [EVENT]: {} },
  ...claims,
})
const without = (claims: JWTPayload): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
const sign = (claims: JWTPayload, header: Record<string, unknown> = { typ: 'logout+jwt' }) =>
  provider.sign(without(good(claims)), header)
const send = (body: string, type = 'application/x-www-form-urlencoded', address?: string) =>
  fetch(`${server.url}/oauth/backchannel-logout`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': type, ...(address !== undefined && { 'X-Forwarded-For': address }) },
  })
const report = async (token: string) => send(`logout_token=${encodeURIComponent(token)}`)
const rows = async (): Promise<number> =>
  (await server.context.storage
    .prepare<[], number>('select count(*) from oauth_session')
    .pluck()
    .get())!
const statusOf = async (token: string) =>
  (await server.call('GET', '/api/v1/chats/', { token })).status

describe('back-channel logout', () => {
  it('is not there unless it is switched on', async () => {
    await start({ ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'false' })
    expect((await report('x')).status).toBe(404)
  })

  it('ends every sign-in of the person, or the one session; session tokens hold until they end', async () => {
    await start()
    const token = await signIn('eve', 's1')
    await signIn('eve', 's2')
    await signIn('adam', 's3')
    expect(await rows()).toBe(3)
    const one = await report(await sign({ sid: 's1' }))
    expect([one.status, one.headers.get('cache-control'), await one.json()]).toEqual([
      200,
      'no-store',
      {},
    ])
    expect(await rows()).toBe(2)
    expect((await report(await sign({ sub: undefined, sid: 's3' }))).status).toBe(200)
    expect(await rows()).toBe(1)
    // The session of another user, named together with a different subject, is kept.
    expect((await report(await sign({ sub: 'adam', sid: 's2' }))).status).toBe(200)
    expect(await rows()).toBe(1)
    expect((await report(await sign({}))).status).toBe(200)
    expect(await rows()).toBe(0)
    expect((await report(await sign({ sub: 'nobody' }))).status).toBe(200)
    expect(await statusOf(token)).toBe(200)
  })

  it('refuses what is not genuine, with one answer for all', async () => {
    await start()
    await signIn('eve', 's1')
    const other = await startHostileProvider()
    ends.push(() => other.close())
    const idToken = await provider.sign(without({ ...good(), events: undefined, nonce: 'x' }))
    const broken: Record<string, string | Promise<string>> = {
      'foreign issuer': sign({ iss: other.url }),
      'no issuer': sign({ iss: undefined }),
      'foreign audience': sign({ aud: 'another' }),
      'no audience': sign({ aud: undefined }),
      'no time': sign({ iat: undefined }),
      'time ahead': sign({ iat: now() + 300 }),
      'no end': sign({ exp: undefined }),
      'an end in the past': sign({ exp: now() - 61 }),
      'an end in a year': sign({ exp: now() + 31_536_000 }),
      'no jti': sign({ jti: undefined }),
      'empty jti': sign({ jti: '' }),
      'jti of another kind': sign({ jti: 7 as unknown as string }),
      'neither sub nor sid': sign({ sub: undefined }),
      'empty sub': sign({ sub: '' }),
      'sub of another kind': sign({ sub: ['eve'] as unknown as string }),
      'empty sid': sign({ sid: '' }),
      'sid of another kind': sign({ sid: 7 }),
      'no events': sign({ events: undefined }),
      'events without the event': sign({ events: {} }),
      'events as a list': sign({ events: [EVENT] }),
      'event that is a text': sign({ events: { [EVENT]: 'yes' } }),
      'event that is null': sign({ events: { [EVENT]: null } }),
      'event that is a list': sign({ events: { [EVENT]: [] } }),
      'a nonce': sign({ nonce: 'x' }),
      'a nonce that is null': sign({ nonce: null }),
      'typ of an access token': sign({}, { typ: 'at+jwt' }),
      'typ of an ID token': sign({}, { typ: 'JWT' }),
      'an ID token': idToken,
      'the key of a stranger': provider.sign(good(), { typ: 'logout+jwt' }, provider.stranger),
      'no signature': new UnsecuredJWT(good()).encode(),
      'the secret of the client': new SignJWT(good())
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(CLIENT.secret.padEnd(32))),
      'another provider': other.sign(good({ iss: other.url })),
      nonsense: 'x',
      'two dots': '..',
    }
    const answers = new Set<string>()
    for (const [name, token] of Object.entries(broken)) {
      const reply = await report(await token)
      expect([name, reply.status, await rows()]).toEqual([name, 400, 1])
      const { request_id: _, ...body } = (await reply.json()) as Record<string, unknown>
      answers.add(JSON.stringify(body))
      expect(body).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringMatching(/\w+ \w+/) as string,
      })
    }
    expect(answers.size).toBe(1)
    const token = await sign({})
    for (const [body, type] of [
      ['', undefined],
      [`token=${token}`, undefined],
      [`logout_token=${token}&logout_token=${token}`, undefined],
      [JSON.stringify({ logout_token: token }), 'application/json'],
      [token, 'text/plain'],
    ] as const)
      expect((await send(body, type)).status, body.slice(0, 30)).toBe(400)
    expect((await send(`logout_token=${'x'.repeat(70_000)}`)).status).toBe(413)
    expect(await rows()).toBe(1)
    // The same token without a type is accepted, as providers before the standard sent it.
    expect((await report(await sign({}, {}))).status).toBe(200)
  })

  it('takes a token once, also after a restart', async () => {
    await start()
    await signIn('eve')
    const token = await sign({})
    expect((await report(token)).status).toBe(200)
    expect((await report(token)).status).toBe(400)
    const { dataDir } = server
    await ends.pop()!()
    await start({}, dataDir)
    expect((await report(token)).status).toBe(400)
  })

  it('a minute of difference between the clocks is taken', async () => {
    await start()
    expect((await report(await sign({ iat: now() + 50 }))).status).toBe(200)
    expect((await report(await sign({ exp: now() - 50 }))).status).toBe(200)
  })

  it('bad tokens of one address in a row are not looked at any more, those of another are', async () => {
    await start()
    for (let tries = 0; tries < 60; tries += 1)
      await send('logout_token=x', undefined, '203.0.113.1')
    const late = await send('logout_token=x', undefined, '203.0.113.1')
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await send(`logout_token=${await sign({})}`, undefined, '203.0.113.2')).status).toBe(
      200,
    )
  })

  it('a real provider reports that somebody signed out there', async () => {
    const world = await startSingleSignOn({ ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'true' })
    ends.push(() => world.close())
    const browser = new TestBrowser({ isPage: false })
    await world.signIn('ada', browser)
    const count = async () =>
      await world.server.context.storage
        .prepare<[], number>('select count(*) from oauth_session')
        .pluck()
        .get()
    expect(await count()).toBe(1)
    const page = await (
      await browser.fetch(
        `${world.provider.url}/session/end?id_token_hint=${browser.cookies.get('oauth_id_token')}`,
      )
    ).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)![1]!
    // By then the provider signs with another key, which is fetched once the last fetch is half a
    // minute old.
    await world.provider.rotateKeys('second')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    await browser.fetch(`${world.provider.url}/session/end/confirm`, { method: 'POST', body })
    await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 5000 })
  })
})

describe.skipIf(!hasRedis)('with the store of REDIS_URL', () => {
  const open = async (token: string) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    await once(socket, 'message')
    return { closed: once(socket, 'close').then(([code]) => code as number) }
  }

  it('a logout ends every session token of the person at once, sockets too, also after a restart; later ones are good', async () => {
    const redis = await startRedis()
    ends.push(() => redis.close())
    await start({ REDIS_URL: redis.url })
    const tokens = [await signIn('eve', 's1'), await signIn('eve', 's2')]
    const adam = await signIn('adam')
    const { closed } = await open(tokens[0]!)
    const began = performance.now()
    expect((await report(await sign({ sid: 's1' }))).status).toBe(200)
    expect(await closed).toBe(4403)
    expect(performance.now() - began).toBeLessThan(1000)
    expect(await Promise.all([...tokens, adam].map(statusOf))).toEqual([401, 401, 200])
    const later = await signIn('eve')
    expect(await statusOf(later)).toBe(200)

    const { dataDir } = server
    await ends.pop()!()
    await start({ REDIS_URL: redis.url }, dataDir)
    expect(await Promise.all([...tokens, adam, later].map(statusOf))).toEqual([401, 401, 200, 200])
  })

  it.skipIf(isOnPostgres)('another gateway on the same store hears of it at once', async () => {
    const redis = await startRedis()
    ends.push(() => redis.close())
    await start({ REDIS_URL: redis.url })
    const token = await signIn('eve')
    const { createClient } = await import('@redis/client')
    const client = createClient({ url: redis.url })
    await client.connect()
    ends.push(() => client.close())
    const { closed } = await open(token)
    await client.publish('chat-gateway:session-revoked', 'nonsense')
    await client.publish(
      'chat-gateway:session-revoked',
      JSON.stringify([(await server.context.users.findByEmail('eve@example.com'))!.id, now()]),
    )
    expect(await closed).toBe(4403)
    expect(await statusOf(token)).toBe(401)
  })

  it.skipIf(isOnPostgres)(
    'a logout that cannot be kept is answered 503 and can be reported again',
    async () => {
      const redis = await startRedis()
      await start({ REDIS_URL: redis.url })
      const token = await signIn('eve')
      await redis.close()
      const logout = await sign({})
      expect((await report(logout)).status).toBe(503)
      expect([await rows(), await statusOf(token)]).toEqual([1, 200])
      const again = await startRedis(redis)
      ends.push(() => again.close())
      await vi.waitFor(async () => expect((await report(logout)).status).toBe(200), {
        timeout: 15_000,
        interval: 300,
      })
      expect([await rows(), await statusOf(token)]).toEqual([0, 401])
    },
  )

  it('a store that is not there stops the start with a sentence', async () => {
    await expect(start({ REDIS_URL: 'redis://127.0.0.1:9' })).rejects.toThrow(
      'The store of REDIS_URL cannot be reached.',
    )
    await expect(start({ REDIS_URL: 'http://127.0.0.1' })).rejects.toThrow(
      /REDIS_URL is not possible/,
    )
    // Retries go on for twenty seconds.
  }, 60_000)
})

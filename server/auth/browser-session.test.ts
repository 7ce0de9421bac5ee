import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session, SessionInfo } from '#contract/auths.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { redactText } from '../lib/logger.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
  type TestReply,
  SOME_REQUEST,
} from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
let session: Session
beforeEach(async () => {
  gateway = await startTestGateway()
  session = await gateway.signUp()
})
afterEach(() => gateway.close())

const BROWSER = { 'sec-fetch-site': 'same-origin' }
const CHATS = '/api/v1/chats/'
const FILE = '/api/v1/files/some/content'
const WHO = '/api/v1/auths/'

/** Returns the cookies and the key of a browser after signing in. */
function toBrowser({ headers }: TestReply): {
  cookie: string
  token: string
  key: string
  both: Record<string, string>
} {
  const cookie = headers['set-cookie']![0]!.split(';', 1)[0]!
  const key = String(headers['x-session-key'])
  return {
    cookie,
    token: cookie.slice('token='.length),
    key,
    both: { cookie, 'x-session-key': key, ...BROWSER },
  }
}
const signIn = (headers: Record<string, string> = BROWSER) =>
  gateway.call('/api/v1/auths/signin', { body: ADMIN, headers })
const statusOf = async (headers: Record<string, string>, path = CHATS) =>
  (await gateway.call(path, { headers })).status

describe('the cookie of a browser', () => {
  it('opens files alone, and calls of the API together with the key of the page', async () => {
    const { cookie, both } = toBrowser(await signIn())
    expect(await statusOf({ cookie }, FILE)).toBe(200)
    expect(await statusOf({ cookie, ...BROWSER }, FILE)).toBe(200)
    const refused = await gateway.call(CHATS, { headers: { cookie } })
    expect(refused.status).toBe(401)
    expect(refused.body.detail).toContain('sign in on this page')
    // Otherwise a page that lost its session key would lose its pictures as well.
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect((await gateway.call(CHATS, { headers: both })).body.caller).toMatchObject({
      userId: session.id,
      credential: 'cookie',
    })
    expect((await gateway.call('/api/v1/chats/new', { body: {}, headers: both })).status).toBe(200)
  })

  it('proves nobody as Bearer, in a key header, with the key of another session or with half of it', async () => {
    const first = toBrowser(await signIn())
    const second = toBrowser(await signIn())
    const keys = [second.key, first.key.slice(0, -1), `${first.key}, ${first.key}`, '', first.token]
    for (const key of keys)
      expect([key, await statusOf({ cookie: first.cookie, 'x-session-key': key })]).toEqual([
        key,
        401,
      ])
    for (const path of [CHATS, FILE, WHO]) {
      expect(await statusOf(bearer(first.token), path)).toBe(401)
      expect(await statusOf({ ...bearer(first.token), 'x-session-key': first.key }, path)).toBe(401)
      expect(await statusOf({ 'x-api-key': first.token, 'x-session-key': first.key }, path)).toBe(
        401,
      )
      expect(await statusOf({ 'x-session-key': first.key }, path)).toBe(401)
    }
    expect(await gateway.auth.liveCallers.byToken(first.token, SOME_REQUEST)).toBeNull()
  })

  it('is exchanged for no token that works without the key, neither alone nor together with it', async () => {
    const { cookie, both } = toBrowser(await signIn())
    const alone: Record<string, string>[] = [{ cookie }, { cookie, 'user-agent': 'curl/8.5' }]
    for (const headers of alone) {
      const reply = await gateway.call(WHO, { headers })
      expect([reply.status, JSON.stringify(reply.body).includes('eyJ')]).toEqual([401, false])
    }
    const { 'sec-fetch-site': _site, ...asProgram } = both
    for (const headers of [both, { ...asProgram, 'user-agent': 'curl/8.5' }]) {
      const reply = await gateway.call(WHO, { headers })
      expect(reply.body).toMatchObject({
        id: session.id,
        token: '',
        expires_at: expect.any(Number),
      })
    }
  })

  it('changes nothing alone: it neither ends the session nor makes a key, a chat or another password', async () => {
    const { cookie, both } = toBrowser(await signIn())
    for (const method of ['GET', 'POST']) {
      const reply = await gateway.call('/api/v1/auths/signout', { method, headers: { cookie } })
      expect(reply.headers['set-cookie']![0]).toContain('token=; Max-Age=0')
    }
    const ofForeignPage = await gateway.call('/api/v1/auths/signout', {
      headers: { cookie, 'sec-fetch-site': 'same-site' },
    })
    expect([ofForeignPage.status, ofForeignPage.headers['set-cookie']]).toEqual([403, undefined])
    for (const path of [
      '/api/v1/auths/api_keys',
      '/api/v1/auths/update/password',
      '/api/v1/auths/update/profile',
      '/api/v1/chats/new',
    ])
      expect([path, (await gateway.call(path, { body: {}, headers: { cookie } })).status]).toEqual([
        path,
        401,
      ])
    expect(await statusOf(both)).toBe(200)
    await gateway.call('/api/v1/auths/signout', { method: 'POST', headers: both })
    expect([await statusOf(both), await statusOf({ cookie }, FILE)]).toEqual([401, 401])
  })

  it('opens nothing for a public endpoint that tells the signed-in more', async () => {
    const { cookie } = toBrowser(await signIn())
    expect((await gateway.call('/api/config', { headers: { cookie } })).body.caller).toBeNull()
  })

  it('stands for one session with the token of the answer, which is a whole credential: both end together', async () => {
    const reply = await signIn()
    const { both, token } = toBrowser(reply)
    const { token: whole } = reply.body as Session
    expect(whole).not.toBe(token)
    expect([await statusOf(bearer(whole)), await statusOf({ cookie: `token=${whole}` })]).toEqual([
      200, 200,
    ])
    const sessions = (await gateway.call('/api/v1/auths/sessions', { headers: both }))
      .body as SessionInfo[]
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions).toHaveLength(2)
    await gateway.call('/api/v1/auths/signout', { method: 'POST', headers: bearer(whole) })
    expect(await statusOf(both)).toBe(401)
  })

  it('gets a new key with a new password, and the old one is worth nothing', async () => {
    const before = toBrowser(await signIn())
    const change = { password: ADMIN.password, new_password: 'another long password' }
    const after = toBrowser(
      await gateway.call('/api/v1/auths/update/password', { body: change, headers: before.both }),
    )
    expect(await statusOf(before.both)).toBe(401)
    expect(await statusOf({ cookie: after.cookie, 'x-session-key': before.key })).toBe(401)
    expect(await statusOf(after.both)).toBe(200)
  })
})

describe('two windows of one browser', () => {
  /** Returns the cookies of a browser after it received the replies in this order. */
  const keepCookies = (replies: readonly TestReply[]): string | undefined => {
    const jar = new Map<string, string>()
    for (const line of replies.flatMap(({ headers }) => headers['set-cookie'] ?? [])) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string]
      if (/Max-Age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return jar.get('token')
  }
  const who = (headers: Record<string, string>) => gateway.call(WHO, { headers })

  it('a call of one that is answered late leaves the other its new password and its newer cookie', async () => {
    const first = await signIn()
    const { both } = toBrowser(first)
    const inTime = await who(both)
    const change = { password: ADMIN.password, new_password: 'another long password' }
    const renewal = await gateway.call('/api/v1/auths/update/password', {
      body: change,
      headers: both,
    })
    const refused = [
      await who(both),
      await gateway.call(CHATS, { headers: both }),
      await gateway.call(FILE, { headers: both }),
    ]
    expect([inTime.status, ...refused.map(({ status }) => status)]).toEqual([200, 401, 401, 401])
    const after = toBrowser(renewal)
    for (const late of [inTime, ...refused]) {
      expect(keepCookies([first, renewal, late])).toBe(after.token)
      expect(
        await statusOf({ ...after.both, cookie: `token=${keepCookies([first, renewal, late])}` }),
      ).toBe(200)
    }
  })

  it('a refusal of an ended session leaves whoever signed in meanwhile signed in, and signing out deletes the cookie', async () => {
    const first = await signIn()
    await gateway.call('/api/v1/auths/signout', { method: 'POST', headers: toBrowser(first).both })
    const second = await signIn()
    const late = await gateway.call(CHATS, { headers: toBrowser(first).both })
    expect([late.status, keepCookies([first, second, late])]).toEqual([
      401,
      toBrowser(second).token,
    ])
    const left = await gateway.call('/api/v1/auths/signout', {
      method: 'POST',
      headers: toBrowser(second).both,
    })
    expect(keepCookies([first, second, late, left])).toBeUndefined()
  })

  it('sets the cookie of a session that never ends anew, since browsers keep none for ever', async () => {
    await gateway.settings.update({ JWT_EXPIRES_IN: '-1' })
    const { both, token } = toBrowser(await signIn())
    expect(toBrowser(await who(both)).token).toBe(token)
  })
})

describe('who is taken for a browser', () => {
  it('whoever sends Sec-Fetch-Site or Origin, as browsers do where the connection is not encrypted', async () => {
    for (const headers of [
      BROWSER,
      { 'sec-fetch-site': 'none' },
      { origin: `http://127.0.0.1:${gateway.port}` },
    ]) {
      const { cookie, both } = toBrowser(await signIn(headers as Record<string, string>))
      expect([await statusOf({ cookie }), await statusOf(both)]).toEqual([401, 200])
    }
  })

  it('a program is not: its cookie and its token are whole credentials, and it gets no key', async () => {
    const reply = await signIn({ 'user-agent': 'python-requests/2.32', 'sec-fetch-mode': 'cors' })
    const { cookie, token } = toBrowser(reply)
    expect(reply.headers['x-session-key']).toBeUndefined()
    expect(token).toBe((reply.body as Session).token)
    expect([
      await statusOf({ cookie }),
      await statusOf(bearer(token)),
      await statusOf({ cookie, ...BROWSER }),
    ]).toEqual([200, 200, 200])
  })

  it('every way to sign in gives a browser its own kind of cookie', async () => {
    await gateway.settings.update({ ENABLE_SIGNUP: true, DEFAULT_USER_ROLE: 'user' })
    const signedUp = await gateway.call('/api/v1/auths/signup', {
      body: { ...ADMIN, email: 'bo@example.org' },
      headers: BROWSER,
    })
    expect(await statusOf({ cookie: toBrowser(signedUp).cookie })).toBe(401)
    expect(await statusOf(toBrowser(signedUp).both)).toBe(200)
    const open = await startTestGateway({ config: { environment: { WEBUI_AUTH: 'false' } } })
    try {
      const entered = toBrowser(
        await open.call('/api/v1/auths/signin', {
          body: { email: '', password: '' },
          headers: BROWSER,
        }),
      )
      const statusAt = async (headers: Record<string, string>) =>
        (await open.call(CHATS, { headers })).status
      expect([await statusAt({ cookie: entered.cookie }), await statusAt(entered.both)]).toEqual([
        401, 200,
      ])
    } finally {
      await open.close()
    }
  })

  it('a page that brings a token of its own gets no cookie for it', async () => {
    const asPage = await gateway.call(WHO, { headers: { ...bearer(session), ...BROWSER } })
    expect([asPage.status, asPage.headers['set-cookie']]).toEqual([200, undefined])
    expect(
      (await gateway.call(WHO, { headers: bearer(session) })).headers['set-cookie'],
    ).toHaveLength(1)
  })

  it('a listed page of another origin may read the key and send it; the preflight of any other one is refused', async () => {
    const origin = 'https://pages.example.org'
    await gateway.settings.update({ CORS_ALLOW_ORIGIN: [origin] })
    const reply = await signIn({ origin, 'sec-fetch-site': 'cross-site' })
    expect(reply.headers['access-control-expose-headers']).toContain('X-Session-Key')
    expect(
      await statusOf({ ...toBrowser(reply).both, origin, 'sec-fetch-site': 'cross-site' }),
    ).toBe(200)
    const ask = (from: string) => ({
      origin: from,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-session-key',
    })
    const preflight = (from: string) =>
      gateway.call(CHATS, { method: 'OPTIONS', headers: ask(from) })
    expect((await preflight(origin)).headers['access-control-allow-headers']).toBe('x-session-key')
    const refused = await preflight('https://evil.example')
    expect([refused.status, refused.headers['access-control-allow-headers']]).toEqual([
      403,
      undefined,
    ])
  })
})

it('the key is masked wherever it stands in a text of the log', async () => {
  const { key } = toBrowser(await signIn())
  expect(redactText(`failed with ${key} in it`)).toBe('failed with [redacted] in it')
})

it('the cookie of a browser alone opens pictures, files and pages that can carry no header, by GET and never as data', () => {
  const opened = allEndpoints.filter(({ opensByCookie }) => opensByCookie)
  expect(opened.map(({ id }) => id)).toEqual([
    'users.profileImage',
    'models.profileImage',
    'channels.webhookImage',
    'files.content',
    'files.html',
    'files.namedContent',
    'images.preview',
    'knowledge.export',
    'toolServers.frame',
    // Another site redirects here; the state of the sign-in, which only a full session can obtain,
    // is the rest of the proof.
    'toolServers.callback',
  ])
  for (const { method, reply } of opened) expect([method, reply]).toEqual(['GET', 'stream'])
})

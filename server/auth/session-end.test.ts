import { afterEach, describe, expect, it } from 'vitest'
import { sessionSchema, type Session } from '#contract/auths.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  SOME_REQUEST,
} from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
const start = async (options?: TestGatewayOptions): Promise<TestGateway> =>
  (gateway = await startTestGateway(options))
afterEach(() => gateway.close())

const whoAmI = (session: Session | string) =>
  gateway.call('/api/v1/auths/', { headers: bearer(session) })
const cookieOf = (reply: { headers: { 'set-cookie'?: string[] } }): string =>
  reply.headers['set-cookie']?.[0] ?? ''
const cookiePair = (reply: { headers: { 'set-cookie'?: string[] } }): string =>
  cookieOf(reply).split(';', 1)[0]!

describe('ending a session', () => {
  it.each(['GET', 'POST'])(
    'sign-out by %s revokes the token at once and deletes the cookie',
    async (method) => {
      await start()
      const session = await gateway.signUp()
      const other = (await gateway.call('/api/v1/auths/signin', { body: ADMIN })).body as Session
      const live = await gateway.auth.liveCallers.byToken(session.token, SOME_REQUEST)
      const announced: string[] = []
      gateway.auth.onRevoked(async (userId) => void announced.push(userId))
      const reply = await gateway.call('/api/v1/auths/signout', {
        method,
        headers: bearer(session),
      })
      expect(reply.body).toEqual({ status: true })
      expect(cookieOf(reply)).toContain('token=; Max-Age=0')
      expect((await whoAmI(session)).status).toBe(401)
      expect(await live!.isValid()).toBe(false)
      expect(announced).toEqual([session.id])
      expect((await whoAmI(other)).status).toBe(200)
    },
  )

  it('says where people are led after signing out, where that is set', async () => {
    await start({
      settings: { WEBUI_AUTH_SIGNOUT_REDIRECT_URL: 'https://intranet.example.org/bye' },
    })
    const reply = await gateway.call('/api/v1/auths/signout', { method: 'POST' })
    expect(reply.body).toEqual({ status: true, redirect_url: 'https://intranet.example.org/bye' })
    await expect(() =>
      gateway.settings.update({ WEBUI_AUTH_SIGNOUT_REDIRECT_URL: 'javascript:alert(1)' }),
    ).rejects.toThrow('http')
  })

  it('row 82: password change, demotion and deletion refuse old tokens at once, over HTTP and on sockets', async () => {
    await start()
    const admin = await gateway.signUp()
    const endings = {
      password: (id: string) =>
        gateway.call(`/api/v1/users/${id}/update`, {
          body: { password: 'another one' },
          headers: bearer(admin),
        }),
      role: (id: string) =>
        gateway.call(`/api/v1/users/${id}/update`, {
          body: { role: 'pending' },
          headers: bearer(admin),
        }),
      deletion: (id: string) =>
        gateway.call(`/api/v1/users/${id}`, { method: 'DELETE', headers: bearer(admin) }),
    }
    for (const [name, end] of Object.entries(endings)) {
      const session = await gateway.addUser(admin, name)
      const live = await gateway.auth.liveCallers.byToken(session.token, SOME_REQUEST)
      expect(await live!.isValid()).toBe(true)
      const announced: string[] = []
      gateway.auth.onRevoked(async (userId) => void announced.push(userId))
      expect((await end(session.id)).status).toBe(200)
      expect((await whoAmI(session)).status).toBe(401)
      expect(await live!.isValid()).toBe(false)
      expect(announced).toContain(session.id)
    }
  })

  it('row 86: a changed password ends every other session and gives this browser a new cookie', async () => {
    await start()
    const session = await gateway.signUp()
    const change = (password: string) =>
      gateway.call('/api/v1/auths/update/password', {
        body: { password, new_password: 'a new one' },
        headers: { cookie: `token=${session.token}` },
      })
    expect((await change('wrong')).status).toBe(400)
    const reply = await change(ADMIN.password)
    expect(reply.body).toBe(true)
    expect((await whoAmI(session)).status).toBe(401)
    expect(
      (await gateway.call('/api/v1/auths/', { headers: { cookie: cookiePair(reply) } })).status,
    ).toBe(200)
    expect((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(400)
  })

  it('row 86: each sign-in issues another token', async () => {
    await start()
    const first = await gateway.signUp()
    const second = (await gateway.call('/api/v1/auths/signin', { body: ADMIN })).body as Session
    expect(second.token).not.toBe(first.token)
  })

  it('an invalid cookie does not hinder signing in again, which replaces it', async () => {
    await start()
    await gateway.signUp()
    const headers = { cookie: 'token=stale' }
    const refused = await gateway.call('/api/v1/auths/', { headers })
    expect([refused.status, cookieOf(refused)]).toEqual([401, ''])
    const signedIn = await gateway.call('/api/v1/auths/signin', { body: ADMIN, headers })
    expect([signedIn.status, cookiePair(signedIn)]).toEqual([200, `token=${signedIn.body.token}`])
  })

  it('shows the token of the HttpOnly cookie to programs, but not to a page', async () => {
    await start()
    const session = await gateway.signUp()
    const whoAmI = (headers: Record<string, string>) =>
      gateway.call('/api/v1/auths/', { headers: { cookie: `token=${session.token}`, ...headers } })
    const reply = await whoAmI({ 'sec-fetch-site': 'same-origin' })
    expect(reply.body.token).toBe('')
    expect((await whoAmI({ 'user-agent': 'Mozilla/5.0 (X11)' })).body.token).toBe('')
    expect((await whoAmI({ 'user-agent': 'curl/8.5' })).body.token).toBe(session.token)
    expect(sessionSchema.parse(reply.body).expires_at).toBe(session.expires_at)
  })
})

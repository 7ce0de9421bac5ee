import { afterEach, describe, expect, it, vi } from 'vitest'
import { sessionSchema } from '#contract/auths.ts'
import { ADMIN, bearer, startTestGateway, type TestGateway } from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
afterEach(() => {
  vi.useRealTimers()
  return gateway.close()
})
const redeem = (code: string) => gateway.call('/api/v1/auths/desktop', { body: { code } })

describe('the single-use code of the desktop window', () => {
  it('makes the owner account on first start, signs it in by cookie and closes sign-up', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    const reply = await redeem(await gateway.auth.accounts.createDesktopCode())
    const session = sessionSchema.parse(reply.body)
    expect(session).toMatchObject({ role: 'admin', email: 'owner@localhost', name: 'Owner' })
    expect(reply.headers['set-cookie']?.[0]).toContain('HttpOnly')
    expect((await gateway.call('/api/v1/auths/signup', { body: ADMIN })).status).toBe(403)
    const again = sessionSchema.parse(
      (await redeem(await gateway.auth.accounts.createDesktopCode())).body,
    )
    expect(again.id).toBe(session.id)
    expect(await gateway.users.count()).toBe(1)
  })

  it('gives the window the cookie of a browser and the half its page keeps, however main asks', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    const reply = await redeem(await gateway.auth.accounts.createDesktopCode())
    const cookie = reply.headers['set-cookie']![0]!.split(';', 1)[0]!
    const statusWith = async (headers: Record<string, string>) =>
      (await gateway.call('/api/models', { headers })).status
    expect(await statusWith({ cookie })).toBe(401)
    expect(
      await statusWith({ cookie, 'x-session-key': String(reply.headers['x-session-key']) }),
    ).toBe(200)
  })

  it('signs in the first administrator when there is one already', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    const admin = await gateway.users.create({
      name: 'Ada',
      email: 'ada@example.org',
      role: 'user',
      firstBecomesAdmin: true,
    })
    expect((await redeem(await gateway.auth.accounts.createDesktopCode())).body).toMatchObject({
      id: admin.id,
      role: 'admin',
    })
  })

  it('row 87: nobody signs up before the window has made the owner, however fast', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    expect((await gateway.call('/api/v1/auths/signup', { body: ADMIN })).status).toBe(403)
    expect(await gateway.users.count()).toBe(0)
  })

  it('works once and for a minute', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    const code = await gateway.auth.accounts.createDesktopCode()
    expect((await redeem(code)).status).toBe(200)
    expect((await redeem(code)).status).toBe(401)
    expect((await redeem('x'.repeat(43))).status).toBe(401)
    vi.useFakeTimers({ toFake: ['performance'] })
    const late = await gateway.auth.accounts.createDesktopCode()
    vi.advanceTimersByTime(61_000)
    expect((await redeem(late)).status).toBe(401)
  })

  it('is refused with 403 on a server', async () => {
    gateway = await startTestGateway()
    await expect(() => gateway.auth.accounts.createDesktopCode()).rejects.toThrow(
      'not started by the desktop app',
    )
    expect((await redeem('x'.repeat(43))).status).toBe(403)
  })

  it('the owner has no password until the window sets one; a key cannot', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    const owner = sessionSchema.parse(
      (await redeem(await gateway.auth.accounts.createDesktopCode())).body,
    )
    const signIn = (password: string) =>
      gateway.call('/api/v1/auths/signin', { body: { email: owner.email, password } })
    expect((await signIn('')).status).toBe(400)
    const key = (
      await gateway.call('/api/v1/auths/api_keys', { body: { name: 'k' }, headers: bearer(owner) })
    ).body.api_key as string
    const setPassword = (credential: string) =>
      gateway.call('/api/v1/auths/update/password', {
        body: { password: '', new_password: 'chosen' },
        headers: bearer(credential),
      })
    expect((await setPassword(key)).status).toBe(400)
    expect((await setPassword(owner.token)).status).toBe(200)
    expect((await signIn('chosen')).status).toBe(200)
  })
})

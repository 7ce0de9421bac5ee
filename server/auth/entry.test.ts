import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../config/config.ts'
import { ADMIN, bearer, startTestGateway, type TestGateway } from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
const start = async (config: Partial<Config> = {}): Promise<void> => {
  gateway = await startTestGateway({ config })
}
afterEach(() => gateway.close())

const FROM_ELSEWHERE = { 'x-forwarded-for': '203.0.113.9' }
const signUp = (body: object = {}, headers: Record<string, string> = FROM_ELSEWHERE) =>
  gateway.call('/api/v1/auths/signup', { body: { ...ADMIN, ...body }, headers })

describe('row 87: the first account of a gateway other machines reach', () => {
  it('needs the setup code from the log, except on the machine itself', async () => {
    await start({ host: '0.0.0.0' })
    const code = gateway.auth.setupCode()!
    expect(code).toMatch(/^[\dA-Za-z]{12}$/)
    expect((await signUp()).status).toBe(403)
    expect((await signUp({ setup_code: 'a guess' })).body.detail).toContain('setup code')
    expect((await signUp({ setup_code: ` ${code} ` })).body.role).toBe('admin')
    expect(gateway.auth.setupCode()).toBeNull()
  })

  it('takes anybody on the machine itself', async () => {
    await start({ host: '0.0.0.0' })
    expect((await signUp({}, {})).status).toBe(200)
  })

  it('lets nobody guess for long', async () => {
    await start({ host: '::' })
    const statuses: number[] = []
    for (let index = 0; index < 17; index += 1) statuses.push((await signUp({ setup_code: `${index}` })).status)
    expect(new Set(statuses.slice(0, 15))).toEqual(new Set([403]))
    expect(statuses.at(-1)).toBe(429)
    expect((await signUp({ setup_code: gateway.auth.setupCode()! })).status).toBe(429)
  })

  it('needs none on a gateway that only this machine reaches', async () => {
    await start()
    expect(gateway.auth.setupCode()).toBeNull()
    expect((await signUp()).status).toBe(200)
  })
})

describe('the first account from the environment', () => {
  const environment = { WEBUI_ADMIN_EMAIL: ' Ada@Example.org ', WEBUI_ADMIN_PASSWORD: ADMIN.password, WEBUI_ADMIN_NAME: 'Ada' }

  it('is made once, is administrator and closes sign-up', async () => {
    await start({ environment })
    await gateway.auth.createFirstAdmin()
    await gateway.auth.createFirstAdmin()
    expect(gateway.users.all()).toMatchObject([{ email: ADMIN.email, name: 'Ada', role: 'admin', isFirst: true }])
    expect((await signUp({ email: 'other@example.org' })).status).toBe(403)
    expect((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(200)
  })

  it('stops the start with a sentence when it cannot be made', async () => {
    await start({ environment: { ...environment, WEBUI_ADMIN_EMAIL: 'nobody' } })
    await expect(gateway.auth.createFirstAdmin()).rejects.toThrow('WEBUI_ADMIN_EMAIL')
  })
})

describe('signing in by the token in the data folder', () => {
  const signIn = (token: string, headers: Record<string, string> = {}) => gateway.call('/api/v1/auths/local', { body: { token }, headers })

  it('gives the first administrator a quarter of an hour, and no cookie', async () => {
    await start()
    expect((await signIn(gateway.auth.localToken)).status).toBe(403)
    const admin = await gateway.signUp()
    const reply = await signIn(gateway.auth.localToken)
    expect(reply.body).toMatchObject({ id: admin.id, role: 'admin' })
    expect(reply.body.expires_at - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(900)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect((await gateway.call('/api/v1/users/', { headers: bearer(reply.body) })).status).toBe(200)
  })

  it('refuses other tokens, other machines and guessing', async () => {
    await start()
    await gateway.signUp()
    expect((await signIn(gateway.auth.localToken, FROM_ELSEWHERE)).status).toBe(403)
    const statuses: number[] = []
    for (let index = 0; index < 16; index += 1) statuses.push((await signIn(`a token that is wrong ${index}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 401), 429])
    expect((await signIn(gateway.auth.localToken)).status).toBe(429)
  })
})

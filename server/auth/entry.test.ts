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
    const code = (await gateway.auth.setupCode.current())!
    expect(code).toMatch(/^[\dA-Za-z]{12}$/)
    expect((await signUp()).status).toBe(403)
    expect((await signUp({ setup_code: 'a guess' })).body.detail).toContain('setup code')
    expect((await signUp({ setup_code: ` ${code} ` })).body.role).toBe('admin')
    expect(await gateway.auth.setupCode.current()).toBeNull()
  })

  it('takes anybody on the machine itself', async () => {
    await start({ host: '0.0.0.0' })
    expect((await signUp({}, {})).status).toBe(200)
  })

  it('asks everybody whom a proxy of this machine stands in front of, whatever it tells', async () => {
    await start()
    for (const [name, value] of [
      ['x-forwarded-for', '127.0.0.1'],
      ['via', '1.1 proxy'],
      ['cf-connecting-ip', '127.0.0.1'],
    ] as const)
      expect((await signUp({}, { [name]: value })).status).toBe(403)
    expect(
      (await signUp({ setup_code: (await gateway.auth.setupCode.current())! })).body.role,
    ).toBe('admin')
  })

  it.each(['https://chat.example.org', 'http://192.0.2.7:8642'])(
    'asks everybody where WEBUI_URL is %s',
    async (url) => {
      await start({ environment: { WEBUI_URL: url } })
      expect((await signUp({}, {})).body.detail).toContain('setup code')
      expect(
        (await signUp({ setup_code: (await gateway.auth.setupCode.current())! }, {})).body.role,
      ).toBe('admin')
    },
  )

  it('asks nobody at this machine where WEBUI_URL is an address of it', async () => {
    await start({ environment: { WEBUI_URL: 'http://localhost:8642' } })
    expect((await signUp({}, {})).body.role).toBe('admin')
  })

  it('lets nobody guess for long', async () => {
    await start({ host: '::' })
    const statuses: number[] = []
    for (let index = 0; index < 17; index += 1)
      statuses.push((await signUp({ setup_code: `${index}` })).status)
    expect(new Set(statuses.slice(0, 15))).toEqual(new Set([403]))
    expect(statuses.at(-1)).toBe(429)
    expect((await signUp({ setup_code: (await gateway.auth.setupCode.current())! })).status).toBe(
      429,
    )
  })

  it('is not asked for by the desktop app, where a window makes the first account', async () => {
    gateway = await startTestGateway({ mode: 'desktop' })
    expect(await gateway.auth.setupCode.current()).toBeNull()
    expect((await signUp()).status).toBe(403)
  })
})

describe('the first account from the environment', () => {
  const environment = {
    WEBUI_ADMIN_EMAIL: ' Ada@Example.org ',
    WEBUI_ADMIN_PASSWORD: ADMIN.password,
    WEBUI_ADMIN_NAME: 'Ada',
  }

  it('is made once, is administrator and closes sign-up', async () => {
    await start({ environment })
    await gateway.auth.accounts.createFirstAdmin()
    await gateway.auth.accounts.createFirstAdmin()
    expect(await gateway.users.all()).toMatchObject([
      { email: ADMIN.email, name: 'Ada', role: 'admin', isFirst: true },
    ])
    expect((await signUp({ email: 'other@example.org' })).status).toBe(403)
    expect((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(200)
  })

  it('stops the start with a sentence when it cannot be made', async () => {
    await start({ environment: { ...environment, WEBUI_ADMIN_EMAIL: 'nobody' } })
    await expect(gateway.auth.accounts.createFirstAdmin()).rejects.toThrow('WEBUI_ADMIN_EMAIL')
  })
})

describe('signing in by the token in the data folder', () => {
  const signIn = (token: string, headers: Record<string, string> = {}) =>
    gateway.call('/api/v1/auths/local', { body: { token }, headers })

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

  it('refuses other tokens and other machines, and wrong tries of one program shut out no other', async () => {
    await start()
    await gateway.signUp()
    expect((await signIn(gateway.auth.localToken, FROM_ELSEWHERE)).status).toBe(403)
    expect((await signIn(gateway.auth.localToken, { host: 'evil.example' })).status).toBe(403)
    for (let index = 0; index < 20; index += 1)
      expect((await signIn(`a token that is wrong ${index}`)).status).toBe(401)
    expect((await signIn(gateway.auth.localToken)).status).toBe(200)
  })

  it('holds behind a public WEBUI_URL too, since the token proves enough', async () => {
    await start({ environment: { WEBUI_URL: 'https://chat.example.org' } })
    await signUp({ setup_code: (await gateway.auth.setupCode.current())! })
    expect((await signIn(gateway.auth.localToken)).status).toBe(200)
  })
})

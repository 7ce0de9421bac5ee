import { afterEach, describe, expect, it } from 'vitest'
import type { Config } from '../../config/config.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
} from '../../testing/start-auth-gateway.ts'

let gateway: TestGateway | null = null
const OPEN = { WEBUI_AUTH: 'false' }
const start = async (
  environment: Record<string, string> = OPEN,
  more: Partial<Config> & { path?: string } = {},
): Promise<TestGateway> => {
  const { path, ...config } = more
  gateway = await startTestGateway({
    config: { environment, ...config },
    ...(path !== undefined && { path }),
  })
  return gateway
}
afterEach(async () => {
  await gateway?.close()
  gateway = null
})

const FROM_ELSEWHERE = { 'x-forwarded-for': '203.0.113.9' }
const NONE = { email: '', password: '' }

describe('WEBUI_AUTH=false', () => {
  it('signs in the automatic account with any credentials, made when it is first wanted', async () => {
    const { call, users, settings } = await start()
    expect(await users.count()).toBe(0)
    const first = await call('/api/v1/auths/signin', { body: NONE })
    expect(first.body).toMatchObject({
      email: 'admin@localhost',
      role: 'admin',
      token_type: 'Bearer',
    })
    expect((await call('/api/v1/auths/signin', { body: ADMIN })).body.id).toBe(first.body.id)
    expect((await call('/api/v1/users/', { headers: bearer(first.body) })).body.total).toBe(1)
    expect(settings.get('ENABLE_SIGNUP')).toBe(false)
  })

  it('still wants a session for everything else', async () => {
    const { call } = await start()
    expect((await call('/api/v1/users/')).status).toBe(401)
    expect((await call('/api/models')).status).toBe(401)
  })

  it('lets nobody in from elsewhere, nor a page of another site', async () => {
    const { call } = await start()
    expect(
      (await call('/api/v1/auths/signin', { body: NONE, headers: FROM_ELSEWHERE })).status,
    ).toBe(403)
    expect(
      (await call('/api/v1/auths/signin', { body: NONE, headers: { via: '1.1 proxy' } })).status,
    ).toBe(403)
    expect(
      (
        await call('/api/v1/auths/signin', {
          body: NONE,
          headers: { origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(403)
    expect(
      (await call('/api/v1/auths/signin', { body: NONE, headers: { host: 'evil.example' } }))
        .status,
    ).toBe(403)
  })

  it('lets in other machines only where that was said, and a gateway they reach does not start without it', async () => {
    await expect(start(OPEN, { host: '0.0.0.0' })).rejects.toThrow(
      'WEBUI_AUTH_OPEN_TO_NETWORK=true',
    )
    const { call, auth } = await start(
      { ...OPEN, WEBUI_AUTH_OPEN_TO_NETWORK: 'true' },
      { host: '0.0.0.0' },
    )
    expect(await auth.setupCode.current()).toBeNull()
    expect(
      (await call('/api/v1/auths/signin', { body: NONE, headers: FROM_ELSEWHERE })).body.role,
    ).toBe('admin')
  })

  it('lets nobody make the first account from elsewhere', async () => {
    const { call, users } = await start()
    for (const headers of [FROM_ELSEWHERE, { 'x-forwarded-for': '127.0.0.1' }])
      expect((await call('/api/v1/auths/signup', { body: ADMIN, headers })).status).toBe(403)
    expect(await users.count()).toBe(0)
  })

  it('does not start behind a public WEBUI_URL, and takes nobody for local once there is one', async () => {
    await expect(start({ ...OPEN, WEBUI_URL: 'https://chat.example.org' })).rejects.toThrow(
      'WEBUI_AUTH_OPEN_TO_NETWORK=true',
    )
    const { call, settings } = await start({ ...OPEN, WEBUI_URL: 'http://127.0.0.1:8642' })
    expect((await call('/api/v1/auths/signin', { body: NONE })).status).toBe(200)
    await settings.update({ WEBUI_URL: 'https://chat.example.org' })
    const signIn = (headers: Record<string, string>) =>
      call('/api/v1/auths/signin', { body: NONE, headers })
    expect((await signIn({})).status).toBe(403)
    expect((await signIn({ host: 'chat.example.org' })).status).toBe(403)
  })

  it('is refused where there are accounts already, and gives nobody one', async () => {
    const path = `${createTemporaryFolder()}/gateway.db`
    const before = await start({}, { path })
    await before.signUp()
    await before.close()
    const { call, users } = await start(OPEN, { path })
    const refused = await call('/api/v1/auths/signin', { body: NONE })
    expect(refused.status).toBe(400)
    expect(refused.body.detail).toContain('WEBUI_AUTH')
    expect((await call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(400)
    expect(await users.count()).toBe(1)
  })

  it('closes sign-up once there is an account', async () => {
    const { call } = await start()
    expect((await call('/api/v1/auths/signin', { body: NONE })).status).toBe(200)
    expect((await call('/api/v1/auths/signup', { body: ADMIN })).status).toBe(403)
  })

  it('takes a sign-up while there is none, though sign-up is switched off', async () => {
    const { call } = await start({ ...OPEN, ENABLE_SIGNUP: 'false' })
    expect((await call('/api/v1/auths/signup', { body: ADMIN })).body.role).toBe('admin')
  })

  it('leaves no known password behind: with sign-in back, nobody gets in by one', async () => {
    const path = `${createTemporaryFolder()}/gateway.db`
    const before = await start(OPEN, { path })
    const { body: session } = await before.call('/api/v1/auths/signin', { body: NONE })
    await before.close()
    const { call, auth } = await start({}, { path })
    for (const password of ['', 'admin', 'password'])
      expect(
        (await call('/api/v1/auths/signin', { body: { email: 'admin@localhost', password } }))
          .status,
      ).toBe(400)
    // A user who can read the data folder gets in and can set a password.
    const { body: local } = await call('/api/v1/auths/local', { body: { token: auth.localToken } })
    expect(local.id).toBe(session.id)
    const change = { password: '', new_password: 'a password at last' }
    expect(
      (await call('/api/v1/auths/update/password', { body: change, headers: bearer(local) }))
        .status,
    ).toBe(200)
    expect(
      (
        await call('/api/v1/auths/signin', {
          body: { email: 'admin@localhost', password: 'a password at last' },
        })
      ).status,
    ).toBe(200)
  })

  it('means nothing to the desktop app', async () => {
    const { call, auth } = await start(OPEN, { mode: 'desktop' })
    expect(auth.isDoorOpen).toBe(false)
    expect((await call('/api/v1/auths/signin', { body: NONE })).status).toBe(400)
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Session } from '#contract/auths.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
  SOME_REQUEST,
} from '../../testing/start-auth-gateway.ts'

let gateway: TestGateway
afterEach(async () => {
  vi.useRealTimers()
  await gateway.close()
})
const statusOf = async (credential: Session | string): Promise<number> =>
  (await gateway.call('/api/v1/auths/', { headers: bearer(credential) })).status

describe('sessions over time', () => {
  it('a token that was accepted before is refused once it has expired, on sockets too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    gateway = await startTestGateway({ settings: { JWT_EXPIRES_IN: '1h' } })
    const session = await gateway.signUp()
    const live = await gateway.auth.liveCallers.byToken(session.token, SOME_REQUEST)
    expect(await statusOf(session)).toBe(200)
    vi.advanceTimersByTime(3_599_000)
    expect(await statusOf(session)).toBe(200)
    vi.advanceTimersByTime(2000)
    expect(await statusOf(session)).toBe(401)
    expect(await live!.isValid()).toBe(false)
  })

  it('a clock that jumps back an hour signs nobody out who signed in before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    gateway = await startTestGateway()
    const session = await gateway.signUp()
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await statusOf(session)).toBe(200)
  })

  it('sessions, keys, sign-outs and used-up tries outlive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chat-gateway-auth-'))
    const options = { path: join(folder, 'gateway.db') }
    try {
      gateway = await startTestGateway({ ...options, settings: { ENABLE_API_KEYS: true } })
      const session = await gateway.signUp()
      const ended = (await gateway.call('/api/v1/auths/signin', { body: ADMIN })).body as Session
      const key = (
        await gateway.call('/api/v1/auths/api_keys', {
          body: { name: 'k' },
          headers: bearer(session),
        })
      ).body.api_key as string
      await gateway.call('/api/v1/auths/signout', { method: 'POST', headers: bearer(ended) })
      const guess = () =>
        gateway.call('/api/v1/auths/signin', { body: { email: ADMIN.email, password: 'wrong' } })
      for (let index = 0; index < 15; index += 1) await guess()
      await vi.waitFor(async () => {
        const rows = await gateway.storage.all(
          gateway.storage.builder.selectFrom('throttle').select('tries').orderBy('tries', 'desc'),
        )
        expect(rows.map(({ tries }) => tries)).toEqual([15, 1])
      })
      await gateway.close()

      gateway = await startTestGateway(options)
      expect(await statusOf(session)).toBe(200)
      expect(await statusOf(key)).toBe(200)
      expect(await statusOf(ended)).toBe(401)
      expect((await guess()).status).toBe(429)
      await gateway.close()
      gateway = await startTestGateway()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('forgets sign-outs of tokens that have expired since', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    gateway = await startTestGateway({ settings: { JWT_EXPIRES_IN: '1h' } })
    const signOut = (session: Session) =>
      gateway.call('/api/v1/auths/signout', { method: 'POST', headers: bearer(session) })
    await signOut(await gateway.signUp())
    vi.advanceTimersByTime(7_200_000)
    await signOut((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).body as Session)
    expect(
      await gateway.storage.all(gateway.storage.builder.selectFrom('revoked_token').select('jti')),
    ).toHaveLength(1)
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSecrets } from '../../storage/secrets/secrets.ts'
import { joinRedis } from '../../testing/join-redis.ts'
import { hasRedis, startRedis } from '../../testing/start-redis.ts'
import { createHandovers } from './handovers.ts'

describe.skipIf(!hasRedis)('codes of a sign-in where several gateways share a database', () => {
  async function start() {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const secrets = createSecrets('one for all')
    const [first, second] = await Promise.all(
      ['first', 'second'].map(async (self) => (await joinRedis(redis.url, self)).live),
    )
    return { first: createHandovers(secrets, first), second: createHandovers(secrets, second) }
  }

  it('are taken by any of them, once by all together', async () => {
    const { first, second } = await start()
    const code = first.create('session', 'half')
    expect(code.length).toBeLessThanOrEqual(256)
    expect(await second.redeem(code, 'session')).toBe('half')
    expect(await first.redeem(code, 'session')).toBeNull()
    expect(await second.redeem(code, 'session')).toBeNull()
  })

  it('are worth nothing for another session, changed, or after a minute', async () => {
    const { first, second } = await start()
    const code = first.create('session', 'half')
    expect(await second.redeem(code, 'another')).toBeNull()
    expect(await second.redeem(`${code.slice(0, -2)}AA`, 'session')).toBeNull()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 61_000)
    expect(await second.redeem(code, 'session')).toBeNull()
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasPostgres } from '../testing/start-postgres.ts'
import type { GatewayProcess } from '../testing/start-process.ts'
import { hasRedis } from '../testing/start-redis.ts'
import {
  call,
  isEndOf,
  openWindow,
  startReplicas,
  type Replicas,
} from '../testing/start-replicas.ts'

/** Each gateway is a process that loads its sources anew. */
const SLOW = 180_000

describe.skipIf(!hasPostgres || !hasRedis)('a gateway that needs Redis', { timeout: SLOW }, () => {
  let world: Replicas
  let first: GatewayProcess
  let second: GatewayProcess
  let admin: string
  /** Seconds a start takes on this machine without faults. */
  let startSeconds: number

  beforeAll(async () => {
    world = await startReplicas()
    first = await world.start()
    const began = performance.now()
    second = await world.start()
    startSeconds = (performance.now() - began) / 1000
    admin = await world.sign(first, 'Ada')
  }, SLOW)
  afterAll(() => world.close(), SLOW)

  it('is not started beside others without REDIS_URL, nor with one that cannot be reached or refuses', async () => {
    const alone = await world.refusal({ REDIS_URL: '' })
    expect(alone).toMatchObject({ code: 1, said: expect.stringContaining('REDIS_URL') })
    const [away, wrong] = await Promise.all([
      world.refusal({ REDIS_URL: 'redis://gateway:hidden-word@127.0.0.1:9' }),
      world.refusal({ REDIS_URL: world.redis.url.replace('//', '//gateway:hidden-word@') }),
    ])
    for (const each of [away, wrong]) {
      expect(each).toMatchObject({ code: 1, said: expect.stringContaining('REDIS_URL') })
      expect(each.said).not.toContain('hidden-word')
      expect(each.said.trim().split('\n')).toHaveLength(1)
      expect(each.seconds - startSeconds).toBeLessThan(30)
    }
    expect(away.seconds).toBeGreaterThan(19)
    const broken = await world.refusal({ REDIS_URL: 'http://127.0.0.1' })
    expect(broken).toMatchObject({ code: 2, said: expect.stringContaining('REDIS_URL') })
  })

  it('goes on while Redis is away, ends what is revoked, and hears the others afterwards', async () => {
    const bob = await world.add(first, admin, 'Bob')
    const window = await openWindow(second, bob)
    await world.stopRedis()
    const timed = async <Result>(work: Promise<Result>): Promise<Result> => {
      const began = performance.now()
      const result = await work
      expect(performance.now() - began).toBeLessThan(1000)
      return result
    }
    for (const gateway of [first, second])
      expect((await timed(call(gateway, '', ['GET', '/ready']))).status).toBe(200)
    const late = await timed(openWindow(second, admin))
    const content = 'Say 5 pieces every 5'
    const chat = await world.newChat(first, admin, content)
    const here = await openWindow(first, admin)
    await timed(world.ask(first, admin, { chat, content, session: here.session }))
    await here.find(isEndOf())
    expect(await world.readAnswer(second, admin, chat)).toMatchObject({ done: true })

    const { id } = (await call(first, bob, ['GET', '/api/v1/auths/'])).body
    const began = performance.now()
    expect((await call(first, admin, ['DELETE', `/api/v1/users/${id}`])).status).toBe(200)
    expect(await window.closed).toBe(4403)
    expect(performance.now() - began).toBeLessThan(1500)
    expect((await call(second, bob, ['GET', '/api/v1/auths/'])).status).toBe(401)

    await world.startRedisAgain()
    await vi.waitFor(
      async () => {
        const next = await world.newChat(first, admin, content)
        await world.ask(first, admin, { chat: next, content, session: here.session })
        await vi.waitFor(
          () =>
            expect(late.frames.some((frame) => frame.chat_id === next && isEndOf()(frame))).toBe(
              true,
            ),
          1500,
        )
      },
      { timeout: 20_000, interval: 500 },
    )
  })
})

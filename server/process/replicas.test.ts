import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasPostgres } from '../testing/start-postgres.ts'
import type { GatewayProcess } from '../testing/start-process.ts'
import { hasRedis } from '../testing/start-redis.ts'
import {
  call,
  isEndOf,
  openWindow,
  startReplicas,
  textFrames,
  type Replicas,
} from '../testing/start-replicas.ts'

/** Each gateway is a process that loads its sources anew. */
const SLOW = 120_000

describe.skipIf(!hasPostgres || !hasRedis)(
  'two gateways with REDIS_URL on one PostgreSQL',
  { timeout: SLOW },
  () => {
    let world: Replicas
    let first: GatewayProcess
    let second: GatewayProcess
    let admin: string

    beforeAll(async () => {
      world = await startReplicas()
      first = await world.start({ SIGNIN_TRIES: '8' })
      second = await world.start({ SIGNIN_TRIES: '8' })
      admin = await world.sign(first, 'Ada')
    }, SLOW)
    afterAll(() => world.close())

    it('stream an answer that one of them writes to the windows on both, each piece once and in order', async () => {
      const [here, there] = await Promise.all([openWindow(first, admin), openWindow(second, admin)])
      const content = 'Say 40 pieces every 20'
      const chat = await world.newChat(first, admin, content)
      const asked = await world.ask(first, admin, { chat, content, session: there.session })
      expect(asked.status).toBe(200)
      for (const window of [here, there]) {
        await window.find(isEndOf())
        const pieces = textFrames(window)
        let text = ''
        for (const { data } of pieces) {
          expect(data.data.offset).toBe(text.length)
          text += data.data.content
        }
        expect(text).toBe(Array.from({ length: 40 }, (_, index) => `piece ${index}. `).join(''))
        expect(pieces.length).toBeGreaterThan(3)
      }
      expect(textFrames(there)).toEqual(textFrames(here))
      expect(await world.readAnswer(second, admin, chat)).toMatchObject({ done: true })
    })

    it('stop an answer of each other, list it, and refuse to write it twice', async () => {
      const there = await openWindow(second, admin)
      const content = 'Say 2000 pieces every 20'
      const chat = await world.newChat(first, admin, content)
      const asked = await world.ask(first, admin, { chat, content, session: there.session })
      await there.find((frame) => textFrames(there).includes(frame))
      expect(
        (await call(second, admin, ['GET', `/api/tasks/chat/${chat}`])).body.task_ids,
      ).toHaveLength(1)
      const again = await world.ask(second, admin, { chat, content, session: there.session })
      expect(again.status).toBe(409)
      const began = performance.now()
      const stopped = await call(second, admin, [
        'POST',
        `/api/tasks/stop/${asked.body.task_ids?.[0] ?? asked.body.task_id}`,
      ])
      expect(stopped.status).toBe(200)
      await there.find(isEndOf())
      expect(performance.now() - began).toBeLessThan(3000)
      for (const gateway of [first, second])
        expect(
          (await call(gateway, admin, ['GET', `/api/tasks/chat/${chat}`])).body.task_ids,
        ).toEqual([])
      expect(await world.readAnswer(second, admin, chat)).toMatchObject({ done: true })
    })

    it('know within two seconds what the other changed, and end revoked credentials within one, sockets too', async () => {
      const key = await call(first, admin, ['POST', '/api/v1/auths/api_keys', { name: 'script' }])
      expect(key).toMatchObject({ status: 200 })
      const secret = key.body.api_key as string
      expect((await call(second, secret, ['GET', '/api/models'])).status).toBe(200)
      const program = await openWindow(second, secret)
      const bob = await world.add(second, admin, 'Bob')
      const window = await openWindow(first, bob)
      const session = await world.sign(first, 'Bob', 'signin')
      const closing = await openWindow(second, session)
      const statusOf = async (gateway: GatewayProcess, token: string) =>
        (await call(gateway, token, ['GET', '/api/v1/auths/'])).status
      expect([await statusOf(first, bob), await statusOf(second, session)]).toEqual([200, 200])

      const timed = async (work: () => Promise<unknown>, limit: number) => {
        const began = performance.now()
        await work()
        expect(performance.now() - began).toBeLessThan(limit)
      }
      await call(first, admin, ['DELETE', `/api/v1/auths/api_keys/${key.body.id}`])
      await timed(async () => expect(await program.closed).toBe(4403), 1000)
      expect((await call(second, secret, ['GET', '/api/models'])).status).toBe(401)

      await call(first, session, ['GET', '/api/v1/auths/signout'])
      await timed(async () => expect(await closing.closed).toBe(4403), 1000)
      expect(await statusOf(second, session)).toBe(401)
      expect(await statusOf(second, bob)).toBe(200)

      const { id } = (await call(first, bob, ['GET', '/api/v1/auths/'])).body
      expect((await call(second, admin, ['DELETE', `/api/v1/users/${id}`])).status).toBe(200)
      await timed(async () => expect(await window.closed).toBe(4403), 1000)
      expect(await statusOf(first, bob)).toBe(401)

      await call(first, admin, ['POST', '/api/v1/settings', { values: { WEBUI_NAME: 'Den' } }])
      const preset = {
        id: 'badger',
        base_model_id: 'cloud-1',
        name: 'Badger',
        meta: {},
        params: {},
      }
      const made = await call(first, admin, ['POST', '/api/v1/models/create', preset])
      expect(made.status).toBe(200)
      await timed(
        () =>
          vi.waitFor(async () => {
            expect((await call(second, '', ['GET', '/api/config'])).body.name).toContain('Den')
            const models = (await call(second, admin, ['GET', '/api/models'])).body.data
            expect(models).toContainEqual(expect.objectContaining({ id: 'badger' }))
          }, 3000),
        2000,
      )
    })

    it('count failed sign-ins together, also of many at once', async () => {
      await world.add(first, admin, 'Eve')
      const attempt = (gateway: GatewayProcess) =>
        call(gateway, '', [
          'POST',
          '/api/v1/auths/signin',
          { email: 'eve@example.com', password: 'a wrong one' },
        ])
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, index) => attempt(index % 2 === 0 ? first : second)),
      )
      const tried = replies.filter(({ status }) => status === 400)
      expect(tried.length).toBeLessThanOrEqual(8)
      expect(tried.length).toBeGreaterThan(0)
      const refused = replies.find(({ status }) => status === 429)!
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(
        replies.map(({ status }) => status).filter((status) => ![400, 429].includes(status)),
      ).toEqual([])
      for (const gateway of [first, second]) expect((await attempt(gateway)).status).toBe(429)
    })
  },
)

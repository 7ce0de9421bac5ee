import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hasPostgres } from '../testing/start-postgres.ts'
import type { GatewayProcess } from '../testing/start-process.ts'
import { hasRedis } from '../testing/start-redis.ts'
import { call, startReplicas, type Frame, type Replicas } from '../testing/start-replicas.ts'

const SLOW = 180_000
const LONG_TEXT = `${'Badgers dig setts in woods and hedges. '.repeat(25)}\n`.repeat(150)

describe.skipIf(!hasPostgres || !hasRedis)(
  'calls that belong together and arrive at two gateways',
  { timeout: SLOW },
  () => {
    let world: Replicas
    let first: GatewayProcess
    let second: GatewayProcess
    let admin: string
    let bob: string

    beforeAll(async () => {
      world = await startReplicas()
      first = await world.start()
      second = await world.start()
      admin = await world.sign(first, 'Ada')
      bob = await world.add(second, admin, 'Bob')
    }, SLOW)
    afterAll(() => world.close(), SLOW)

    const post = (gateway: GatewayProcess, target: string, body: unknown = {}, token = admin) =>
      call(gateway, token, ['POST', target, body])

    const upload = async (gateway: GatewayProcess, text: string): Promise<string> => {
      const body = new FormData()
      body.append('file', new Blob([text]), 'badgers.txt')
      const headers = { Authorization: `Bearer ${admin}` }
      const reply = await fetch(`${gateway.url}/api/v1/files/`, { method: 'POST', headers, body })
      return ((await reply.json()) as { id: string }).id
    }
    /** Reads the state of a file as a stream, to its end. */
    const followOn = async (gateway: GatewayProcess, id: string): Promise<Frame[]> => {
      const reply = await fetch(`${gateway.url}/api/v1/files/${id}/process/status?stream=true`, {
        headers: { Authorization: `Bearer ${admin}` },
        signal: AbortSignal.timeout(30_000),
      })
      const lines = (await reply.text()).split('\n').filter((line) => line.startsWith('data: '))
      return lines.map((line) => JSON.parse(line.slice('data: '.length)))
    }

    it('tell on both when a file has been read, which one of them reads', async () => {
      const id = await upload(first, LONG_TEXT)
      const states = await Promise.all([followOn(first, id), followOn(second, id)])
      expect(states[1][0]).toMatchObject({ status: 'pending' })
      for (const seen of states)
        expect(seen.at(-1)).toEqual({ status: 'completed', error: null, progress: null })
    })

    it('tell on one that the file is gone which the other deleted while it was read', async () => {
      const id = await upload(first, LONG_TEXT)
      const following = followOn(second, id)
      expect((await call(first, admin, ['DELETE', `/api/v1/files/${id}`])).status).toBe(200)
      expect((await following).at(-1)).toMatchObject({ status: 'not_found' })
    })

    it('stop a picture that the other makes, for its owner alone', async () => {
      const engine = await startSilentEngine()
      onTestFinished(() => void engine.close())
      const { port } = engine.address() as AddressInfo
      const config = (await call(first, admin, ['GET', '/api/v1/images/config'])).body
      const changed = await post(first, '/api/v1/images/config/update', {
        ...config,
        ENABLE_IMAGE_GENERATION: true,
        IMAGE_GENERATION_ENGINE: 'openai',
        IMAGE_GENERATION_MODEL: 'painter',
        IMAGES_OPENAI_API_BASE_URL: `http://127.0.0.1:${port}/v1`,
        IMAGES_OPENAI_API_KEY: 'sk-pictures',
      })
      expect(changed.status).toBe(200)
      const asked = once(engine, 'request')
      const body = { prompt: 'A badger', job_id: 'mine' }
      const making = post(first, '/api/v1/images/generations', body)
      await asked
      const stopAs = (token: string) =>
        post(second, '/api/v1/images/jobs/mine/stop', undefined, token)
      expect((await stopAs(bob)).status).toBe(404)
      await vi.waitFor(async () => expect((await stopAs(admin)).status).toBe(200))
      expect(await making).toMatchObject({
        status: 400,
        body: { detail: 'The picture was stopped.' },
      })
      await vi.waitFor(async () => expect((await stopAs(admin)).status).toBe(404))
    })

    it('share nothing with the network, with the reason on the page of it', async () => {
      for (const gateway of [first, second]) {
        const refused = await post(gateway, '/api/v1/sharing/on')
        expect(refused).toMatchObject({
          status: 400,
          body: {
            detail: expect.stringContaining('Several gateways share this database') as string,
          },
        })
      }
      await post(first, '/api/v1/settings', { values: { ENABLE_SHARING: true } })
      for (const gateway of [first, second])
        await vi.waitFor(async () => {
          const { body } = await call(gateway, admin, ['GET', '/api/v1/sharing'])
          expect(body).toMatchObject({ on: true, port: null })
          expect(body.fault).toContain('on a single gateway only')
        })
      const entering = await post(
        second,
        '/api/v1/sharing/enter',
        { secret: 'guest-'.padEnd(49, 'x') },
        '',
      )
      expect(entering.status).toBe(400)
    })

    it('answer with a sentence what is added to a thing that the other deletes', async () => {
      const statuses = new Set<number>()
      for (let turn = 0; turn < 12; turn += 1) {
        const made = await post(first, '/api/v1/knowledge/create', {
          name: `K${turn}`,
          description: '',
        })
        const place = `/api/v1/knowledge/${made.body.id}`
        const replies = await Promise.all([
          post(first, `${place}/dirs/create`, { name: 'One' }),
          call(second, admin, ['DELETE', `${place}/delete`]),
          post(second, `${place}/dirs/create`, { name: 'Two' }),
        ])
        for (const { status } of replies) statuses.add(status)
      }
      expect([...statuses].filter((status) => ![200, 404].includes(status))).toEqual([])
    })
  },
)

/** A server of pictures that never answers. */
async function startSilentEngine(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

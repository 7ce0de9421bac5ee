import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { startLyingStore } from '../testing/start-lying-store.ts'
import { hasPostgres } from '../testing/start-postgres.ts'
import { hasRedis } from '../testing/start-redis.ts'
import { call, startReplicas, type Frame } from '../testing/start-replicas.ts'

/** An address of this machine that is not loopback, so that it counts as another computer. */
const elsewhere = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

/** Returns a URL with a port of the other address, from which connections are passed on to it. */
async function moveElsewhere(address: string): Promise<string> {
  const url = new URL(address)
  const port = Number(url.port)
  const server = createServer((socket) => {
    const inner = connect(port, '127.0.0.1')
    for (const end of [socket, inner]) end.on('error', () => undefined)
    socket.pipe(inner).pipe(socket)
  })
  server.listen(0, elsewhere)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  url.hostname = elsewhere!
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}

test.skipIf(!elsewhere || !hasPostgres || !hasRedis)(
  'a sealed gateway works with the PostgreSQL, Redis and store it is given, lists them, and calls nothing else there',
  { timeout: 120_000 },
  async () => {
    const world = await startReplicas()
    onTestFinished(() => world.close())
    const lying = await startLyingStore()
    onTestFinished(() => lying.close())
    const store = await moveElsewhere(lying.environment.S3_ENDPOINT_URL)
    const gateway = await world.start({
      ...lying.environment,
      SEALED_MODE: 'true',
      DATABASE_URL: await moveElsewhere(world.address),
      REDIS_URL: await moveElsewhere(world.redis.url),
      S3_ENDPOINT_URL: store,
    })
    const admin = await world.sign(gateway, 'Ada')
    const chat = await world.newChat(gateway, admin, 'Say 3 pieces every 5')
    expect((await call(gateway, admin, ['GET', `/api/v1/chats/${chat}`])).status).toBe(200)
    expect((await call(gateway, '', ['GET', '/ready'])).status).toBe(200)

    const form = new FormData()
    form.set('file', new Blob(['About badgers.'], { type: 'text/plain' }), 'badgers.txt')
    const headers = { Authorization: `Bearer ${admin}` }
    const sent = await fetch(`${gateway.url}/api/v1/files/`, {
      method: 'POST',
      headers,
      body: form,
    })
    const { id } = (await sent.json()) as Frame
    const content = await fetch(`${gateway.url}/api/v1/files/${id}/content`, { headers })
    expect(await content.text()).toBe('About badgers.')

    const provider = { kind: 'compatible', name: 'Beside', url: store }
    const verified = await call(gateway, admin, ['POST', '/api/v1/connections/verify', provider])
    expect(JSON.stringify(verified.body)).toContain('Sealed mode is on')

    const listed = (await call(gateway, admin, ['GET', '/api/v1/outgoing?limit=500'])).body.items
    const namesOf = (outcome: string, purpose: string): Set<string> =>
      new Set(
        listed
          .filter((each: Frame) => each.outcome === outcome && each.purpose === purpose)
          .map(({ name }: Frame) => name),
      )
    expect(namesOf('open', 'shared_store')).toEqual(new Set(['PostgreSQL', 'Redis', 'S3']))
    expect(namesOf('refused', 'shared_store')).toEqual(new Set())
    expect(namesOf('refused', 'provider')).toEqual(new Set(['Beside']))
  },
)

import { once } from 'node:events'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { ServiceError } from '../../lib/errors.ts'
import {
  closeOpened,
  connect,
  createTestClock,
  failureOf,
  never,
  serve,
  track,
} from '../../testing/open-upstreams.ts'

afterEach(closeOpened)

describe('the circuit breaker', () => {
  /** A port on which something listens only while `open` says so. */
  async function createPort(listener: RequestListener) {
    const server = createPlainServer(listener)
    const port = await track(server)
    const shut = async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
    const open = async (): Promise<void> => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    }
    return { url: `http://127.0.0.1:${port}`, open, shut }
  }

  const codesOf = (failures: readonly ServiceError[]): string[] => failures.map(({ code }) => code)

  it('refuses calls after five without a connection, with longer pauses while probes fail, and lets all through after a good one', async () => {
    const port = await createPort((_, response) => void response.end('{}'))
    const { clock, advance } = createTestClock()
    const upstream = connect(port.url, { clock })
    await port.shut()
    for (let count = 0; count < 5; count += 1)
      expect((await failureOf(upstream)).code).toBe('upstream_refused_connection')
    expect(await failureOf(upstream)).toMatchObject({
      status: 503,
      code: 'upstream_circuit_open',
      headers: { 'Retry-After': '1' },
    })
    advance(1000)
    const together = await Promise.all([failureOf(upstream), failureOf(upstream)])
    expect(codesOf(together)).toEqual(['upstream_refused_connection', 'upstream_circuit_open'])
    expect((await failureOf(upstream)).headers).toEqual({ 'Retry-After': '2' })
    await port.open()
    advance(2000)
    for (let count = 0; count < 2; count += 1)
      await (await upstream.open({ path: '/x', body: '{}' }, never)).bytes(10)
  })

  it('is not kept open by calls that began before it opened', async () => {
    const port = await createPort((_, response) => void response.end('{}'))
    const { clock, advance } = createTestClock()
    const upstream = connect(port.url, { clock })
    await port.shut()
    await Promise.all(Array.from({ length: 40 }, () => failureOf(upstream)))
    expect((await failureOf(upstream)).headers).toEqual({ 'Retry-After': '1' })
    await port.open()
    advance(1000)
    await (await upstream.open({ path: '/x', body: '{}' }, never)).bytes(10)
  })

  it('holds nobody back while a probe waits for an answer on its connection', async () => {
    const port = await createPort(
      (request, response) => void (request.url === '/slow' ? null : response.end('{}')),
    )
    const { clock, advance } = createTestClock()
    const upstream = connect(port.url, { clock, connectMilliseconds: 5000 })
    await port.shut()
    for (let count = 0; count < 5; count += 1) await failureOf(upstream)
    await port.open()
    advance(1000)
    const left = new AbortController()
    const probe = upstream
      .open({ path: '/slow', body: '{}' }, left.signal)
      .catch((error: unknown) => error)
    expect((await failureOf(upstream)).code).toBe('upstream_circuit_open')
    advance(5000)
    await (await upstream.open({ path: '/x', body: '{}' }, never)).bytes(10)
    left.abort()
    expect(await probe).toMatchObject({ code: 'cancelled' })
  })

  it.each([500, 501, 502, 503, 504, 529])(
    'does not open for one model that answers %i: its neighbours go on',
    async (status) => {
      const url = await serve(
        (request, response) =>
          void response.writeHead(request.url === '/bad' ? status : 200).end('{}'),
      )
      const { clock } = createTestClock()
      const upstream = connect(url, { clock })
      const statuses = []
      for (let count = 0; count < 12; count += 1) {
        const failed = await upstream
          .open({ path: '/bad', body: '{}' }, never)
          .catch((error: ServiceError) => error)
        statuses.push((failed as ServiceError).code)
      }
      expect(statuses).not.toContain('upstream_circuit_open')
      expect((await upstream.open({ path: '/good', body: '{}' }, never)).status).toBe(200)
    },
  )

  it('does not open for requests that make the other side break off or stay silent', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/break') request.socket.destroy()
      else if (request.url === '/good') response.end('{}')
    })
    const { clock } = createTestClock()
    const upstream = connect(url, { clock, firstByteMilliseconds: 100 })
    for (let count = 0; count < 6; count += 1)
      await upstream.open({ path: '/break', body: '{}' }, never).catch(() => null)
    await Promise.allSettled(
      Array.from({ length: 6 }, () => upstream.open({ path: '/silent', body: '{}' }, never)),
    )
    expect((await upstream.open({ path: '/good', body: '{}' }, never)).status).toBe(200)
  })

  it('does not open for requests the other side refuses as wrong', async () => {
    const url = await serve((_, response) => void response.writeHead(400).end('{}'))
    const upstream = connect(url)
    for (let count = 0; count < 8; count += 1) expect((await failureOf(upstream)).status).toBe(400)
  })

  it('closes when a control call is answered', async () => {
    const port = await createPort(
      (request, response) =>
        void response.writeHead(request.method === 'GET' ? 200 : 501).end('{}'),
    )
    const upstream = connect(port.url)
    await port.shut()
    for (let count = 0; count < 6; count += 1) await failureOf(upstream)
    await port.open()
    await upstream.control({ method: 'GET', path: '/models' }, never)
    expect((await failureOf(upstream)).code).toBe('upstream_failed')
  })
})

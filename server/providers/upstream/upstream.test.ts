import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestCertificate } from '../../testing/create-test-certificate.ts'
import {
  closeOpened,
  connect,
  createTestClock,
  failureOf,
  never,
  serve,
  track,
} from '../../testing/open-upstreams.ts'
import type { Upstream } from './upstream.ts'
import { parseRetryAfter } from './upstream-faults.ts'

afterEach(closeOpened)

describe('retries', () => {
  async function countTries(status: number, headers: Record<string, string> = {}) {
    let tries = 0
    const url = await serve((_, response) => {
      tries += 1
      response.writeHead(status, headers).end('{}')
    })
    const { clock, sleeps } = createTestClock()
    const failure = await failureOf(connect(url, { clock }))
    return { tries, sleeps, failure }
  }

  it.each([502, 503])('row R18: tries %i once more, after a jittered wait', async (status) => {
    const { tries, sleeps } = await countTries(status)
    expect(tries).toBe(2)
    expect(sleeps).toHaveLength(1)
    expect(sleeps[0]).toBeGreaterThanOrEqual(125)
    expect(sleeps[0]).toBeLessThanOrEqual(250)
  })

  it.each([400, 401, 403, 404, 408, 409, 413, 422, 429, 451, 500, 501, 504, 505, 529])(
    'row R18: tries %i once',
    async (status) => {
      expect((await countTries(status)).tries).toBe(1)
    },
  )

  it.each([429, 503])(
    'passes the Retry-After of a %i on instead of waiting and trying again',
    async (status) => {
      const { tries, sleeps, failure } = await countTries(status, { 'retry-after': '2' })
      expect([tries, sleeps]).toEqual([1, []])
      expect(failure).toMatchObject({ status, headers: { 'Retry-After': '2' } })
    },
  )

  it('gives a 429 that does not say when to come back a Retry-After', async () => {
    expect((await countTries(429)).failure).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '5' },
    })
    expect((await countTries(503)).failure.headers).toEqual({})
  })

  it('tries again after a lost connection, and hands on the answer that comes then', async () => {
    let tries = 0
    const url = await serve((request, response) => {
      tries += 1
      if (tries === 1) request.socket.destroy()
      else response.end('{"ok":true}')
    })
    const reply = await connect(url).open({ path: '/x', body: '{}' }, never)
    expect((await reply.bytes(100)).toString()).toBe('{"ok":true}')
    expect(tries).toBe(2)
  })

  it('does not try again for a caller who left', async () => {
    let tries = 0
    const url = await serve((_, response) => {
      tries += 1
      response.writeHead(503).end()
    })
    const controller = new AbortController()
    const clock = { now: () => 0, sleep: () => Promise.resolve(controller.abort()) }
    expect(await failureOf(connect(url, { clock }), controller.signal)).toMatchObject({
      status: 499,
      code: 'cancelled',
    })
    expect(tries).toBe(1)
  })
})

describe('kept-alive connections that the other side closes', () => {
  type Send = (upstream: Upstream) => Promise<unknown>
  const sends: [string, Send][] = [
    [
      'open',
      async (upstream) => (await upstream.open({ path: '/x', body: '{}' }, never)).bytes(100),
    ],
    [
      'pass',
      async (upstream) =>
        (await upstream.pass({ method: 'POST', path: '/x', body: '{}' }, never)).bytes(100),
    ],
    ['control', (upstream) => upstream.control({ method: 'POST', path: '/x', body: {} }, never)],
  ]

  /**
   * Replies to `/other` on new connections; all requests on a reused connection are passed to
   * `onReuse`.
   */
  async function startStale(onReuse: RequestListener, onNew = onReuse) {
    const used = new Set<Socket>()
    const seen = { reused: 0, first: 0 }
    const url = await serve((request, response) => {
      const isReused = used.has(request.socket)
      used.add(request.socket)
      if (isReused) seen.reused += 1
      else if (request.url !== '/other') seen.first += 1
      if (isReused) return onReuse(request, response)
      if (request.url !== '/other') return onNew(request, response)
      response.end('{}')
    })
    /** Leaves behind a used connection that is kept alive. */
    const callOther = async (): Promise<void> => {
      await (await upstream.open({ path: '/other', body: '{}' }, never)).bytes(100)
      // A connection is not reused in the same turn of the event loop.
      await pause(20)
    }
    const upstream = connect(url, { clock: { now: () => 0, sleep: callOther } })
    await callOther()
    return { upstream, seen }
  }

  it.each(sends)(
    'fail no call of %s, although another call leaves such a connection before the second try',
    async (_, send) => {
      const { upstream, seen } = await startStale(
        ({ socket }) => socket.destroy(),
        (__, response) => response.end('{}'),
      )
      await send(upstream)
      expect(seen).toEqual({ reused: 1, first: 1 })
    },
  )

  it.each(sends)(
    'fail none of 200 calls of %s when each is closed soon after its answer',
    async (_, send) => {
      const busy = new Set<Socket>()
      const url = await serve((request, response) => {
        busy.add(request.socket)
        request.resume().on('end', () => {
          response.end('{}')
          busy.delete(request.socket)
          setTimeout(() => busy.has(request.socket) || request.socket.destroy(), 2)
        })
      })
      const upstream = connect(url)
      let answers = 0
      const oneByOne = async (): Promise<void> => {
        for (let count = 0; count < 50; count += 1) await send(upstream).then(() => (answers += 1))
      }
      await Promise.all([oneByOne(), oneByOne(), oneByOne(), oneByOne()])
      expect(answers).toBe(200)
    },
  )

  it.each(sends)(
    'are tried again once by %s: the call that is lost on a new one as well has failed',
    async (_, send) => {
      const { upstream, seen } = await startStale(({ socket }) => socket.destroy())
      await expect(send(upstream)).rejects.toMatchObject({ status: 502, code: 'upstream_broken' })
      expect(seen).toEqual({ reused: 1, first: 1 })
    },
  )

  it.each([
    ['a first byte', 'H'],
    ['a head', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
  ])('after %s are not tried again by a call that is passed on', async (_, bytes) => {
    const { upstream, seen } = await startStale(({ socket }) => void socket.end(bytes))
    const passed = upstream
      .pass({ method: 'POST', path: '/x', body: '{}' }, never)
      .then((reply) => reply.bytes(100))
    expect(await passed.catch((error: unknown) => error)).toBeInstanceOf(Error)
    expect(seen).toEqual({ reused: 1, first: 0 })
  })

  it('are not asked twice for a call on a connection that is new', async () => {
    let calls = 0
    const url = await serve(({ socket }) => {
      calls += 1
      socket.destroy()
    })
    await expect(
      connect(url).pass({ method: 'POST', path: '/x', body: '{}' }, never),
    ).rejects.toMatchObject({ status: 502 })
    expect(calls).toBe(1)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2025-01-01T00:00:00Z')
  it.each([
    ['7', 7],
    ['0.2', 1],
    ['Wed, 01 Jan 2025 00:00:09 GMT', 9],
    ['99999999', 3600],
    ['-5', null],
    ['0', null],
    ['soon', null],
    ['', null],
    ['Wed, 01 Jan 2020 00:00:09 GMT', null],
  ])('row R18: %j is read as %s seconds', (text, seconds) => {
    expect(parseRetryAfter(text, now)).toBe(seconds)
  })
})

describe('faults of the network', () => {
  it('row R19: a refused port is 502 and says so without the address', async () => {
    const failure = await failureOf(connect('http://127.0.0.1:1'))
    expect(failure).toMatchObject({ status: 502, code: 'upstream_refused_connection' })
    expect(failure.message).toContain('"Test"')
    expect(failure.message).not.toContain('127.0.0.1')
  })

  it('row R19: an unknown host is 502', async () => {
    expect(await failureOf(connect('http://nobody.invalid'))).toMatchObject({
      status: 502,
      code: 'upstream_unknown_host',
    })
  })

  it.each([
    ['self-signed', { days: 30, name: '127.0.0.1' }, 'self-signed'],
    ['expired', { days: -1, name: '127.0.0.1' }, /expired|self-signed/],
  ])('row R19: a %s certificate is refused', async (_, certificate, sentence) => {
    const server = createTlsServer(createTestCertificate(certificate), (__, response) =>
      response.end('{}'),
    )
    const port = await track(server)
    const failure = await failureOf(connect(`https://127.0.0.1:${port}`))
    expect(failure).toMatchObject({ status: 502, code: 'upstream_certificate' })
    expect(failure.message).toMatch(sentence)
  })

  it('row R17: no first byte in time is 504', async () => {
    const url = await serve(() => null)
    expect(await failureOf(connect(url, { firstByteMilliseconds: 300 }))).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    })
  })

  it('row R17: a reply that stalls is 504 after the idle time', async () => {
    const url = await serve((_, response) => void response.write('{'))
    const upstream = connect(url, { idleMilliseconds: 300 })
    const reply = await upstream.open({ path: '/x', body: '{}' }, never)
    await expect(reply.bytes(100)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' })
  })

  it.each([
    [
      'endless headers',
      (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(20_000)}`),
    ],
    ['no HTTP at all', (socket: Socket) => void socket.end('hello\r\n\r\n')],
    [
      'a bad length',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'),
    ],
  ])('row R17: %s is 502', async (_, answer) => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => null)
      socket.once('data', () => answer(socket))
    })
    expect((await failureOf(connect(`http://127.0.0.1:${await track(server)}`))).status).toBe(502)
  })

  it('row R17: a compressed body nobody asked for is refused, not unpacked', async () => {
    const url = await serve(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('bomb'),
    )
    expect(await failureOf(connect(url))).toMatchObject({ status: 502 })
  })

  it('row 19: a redirect to another host is an error, and nothing is sent there', async () => {
    const seen: string[] = []
    const elsewhere = await serve((request, response) => {
      seen.push(request.url ?? '')
      response.end()
    })
    const url = await serve(
      (_, response) => void response.writeHead(307, { location: `${elsewhere}/steal` }).end(),
    )
    const upstream = connect(url, { headers: { authorization: 'Bearer sk-canary-key' } })
    expect(await failureOf(upstream)).toMatchObject({ status: 502, code: 'upstream_redirect' })
    expect(seen).toEqual([])
  })

  it('row 19: a 401 that names another realm gets no token', async () => {
    let calls = 0
    const url = await serve((_, response) => {
      calls += 1
      response
        .writeHead(401, { 'www-authenticate': 'Bearer realm="http://elsewhere.invalid"' })
        .end()
    })
    const failure = await failureOf(connect(url))
    expect(failure).toMatchObject({ status: 502, code: 'upstream_refused_key' })
    expect(failure.message).toContain('(status 401)')
    expect(calls).toBe(1)
  })

  it('keeps keys, inner addresses and web pages out of every sentence', async () => {
    const secret = 'my-secret-value'
    const body = JSON.stringify({
      error: {
        message: `Key ${secret} and sk-abcdefghijkl failed at 10.0.0.7:8080 or [fe80::1]:9`,
      },
    })
    const url = await serve((_, response) => void response.writeHead(400).end(body))
    const failure = await failureOf(connect(url, { secrets: [secret] }))
    expect(failure.message).toBe('Key [redacted] and [redacted] failed at [address] or [address]')
  })

  it.each([
    ['{"error":{"message":"a"}}', 'a'],
    ['{"error":"b"}', 'b'],
    ['{"message":"c"}', 'c'],
    ['{"detail":"d"}', 'd'],
    ['{"detail":[{"msg":"e"}]}', 'e'],
    ['{"detail":{"error":"f"}}', 'f'],
    ['<html>g</html>', 'The connection "Test" rejected the request (status 400).'],
    ['[]', 'The connection "Test" rejected the request (status 400).'],
    ['', 'The connection "Test" rejected the request (status 400).'],
  ])('finds the sentence in %s', async (body, sentence) => {
    const url = await serve((_, response) => void response.writeHead(400).end(body))
    expect((await failureOf(connect(url))).message).toBe(sentence)
  })
})

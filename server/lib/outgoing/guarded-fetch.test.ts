import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  allowing,
  closeListeners,
  fetcher,
  finding,
  get,
  listen,
  never,
} from '../../testing/guarded-listener.ts'

afterEach(closeListeners)

describe('redirects (row 5)', () => {
  it.each([301, 302, 303, 307, 308])(
    '%i to a place inside or to another scheme are refused',
    async (status) => {
      const canary = await listen()
      for (const location of [
        `http://127.0.0.1:${canary.port}/`,
        'http://[::1]/',
        'http://169.254.169.254/latest',
        'file:///etc/passwd',
        'ftp://example.com/',
      ]) {
        const page = await listen((_, response) => response.writeHead(status, { location }).end())
        await expect(
          get(allowing(page), `http://127.0.0.1:${page.port}/`),
          location,
        ).rejects.toMatchObject({ status: 400 })
      }
      expect(canary.connections()).toBe(0)
    },
  )

  it('of a URL that an administrator set lead inside only within its host', async () => {
    const canary = await listen((_, response) => response.end('inside'))
    const engine = await listen((request, response) => {
      const host = request.url === '/away' ? 'engine.localhost' : '127.0.0.1'
      response.writeHead(302, { location: `http://${host}:${canary.port}/` }).end()
    })
    const chosen = fetcher({}, { isChosen: true })
    expect(chosen.check('http://10.0.0.5/search').hostname).toBe('10.0.0.5')
    const there = (path: string) => get(chosen, `http://127.0.0.1:${engine.port}${path}`)
    expect((await there('/own')).bytes.toString()).toBe('inside')
    await expect(there('/away')).rejects.toMatchObject({ code: 'address_refused' })
    expect(canary.requests).toHaveLength(1)
  })

  it('end after five', async () => {
    let count = 0
    const page = await listen((_, response) =>
      response.writeHead(302, { location: `/${(count += 1)}` }).end(),
    )
    await expect(get(allowing(page), `http://127.0.0.1:${page.port}/`)).rejects.toMatchObject({
      status: 502,
    })
    expect(page.requests).toHaveLength(6)
  })

  it('are followed to the last page, which is named', async () => {
    const page = await listen((request, response) =>
      request.url === '/end'
        ? response.end('there')
        : response.writeHead(302, { location: '/end#part' }).end(),
    )
    const reply = await get(allowing(page), `http://127.0.0.1:${page.port}/start`)
    expect([reply.bytes.toString(), reply.url]).toEqual([
      'there',
      `http://127.0.0.1:${page.port}/end`,
    ])
  })

  it('do not carry headers or bodies to another host (row 19)', async () => {
    const other = await listen()
    const page = await listen((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
    )
    const from = fetcher({ allowedHosts: ['127.0.0.1'] })
    await get(from, `http://127.0.0.1:${page.port}/`, {
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'x-key': 'secret',
    })
    expect(page.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-key': 'secret',
    })
    expect(JSON.stringify(other.requests)).not.toMatch(/secret|a=b/)
    const kept = await listen((_, response) =>
      response.writeHead(308, { location: `http://127.0.0.1:${other.port}/` }).end(),
    )
    const sent = from.fetch(
      `http://127.0.0.1:${kept.port}/`,
      { method: 'POST', body: 'secret' },
      never,
    )
    await expect(sent).rejects.toMatchObject({ status: 502 })
    expect(other.requests).toHaveLength(1)
  })
})

describe('replies', () => {
  it('come in one request, with nothing of the gateway in it', async () => {
    const page = await listen((_, response) =>
      response.setHeader('set-cookie', 'a=b').end('<img src="/x"><script src="/y"></script>'),
    )
    const from = allowing(page)
    await get(from, `http://127.0.0.1:${page.port}/page?q=1#part`)
    await get(from, `http://127.0.0.1:${page.port}/page?q=1#part`)
    expect(page.requests.map(({ url }) => url)).toEqual(['/page?q=1', '/page?q=1'])
    for (const { headers } of page.requests) {
      expect(Object.keys(headers).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
    }
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('packed with %s are unpacked, and bombs cut off', async (encoding, pack) => {
    let body = pack(Buffer.from('hello'))
    const page = await listen((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    )
    const address = `http://127.0.0.1:${page.port}/`
    expect((await get(allowing(page), address)).bytes.toString()).toBe('hello')
    body = pack(Buffer.alloc(100_000_000))
    const before = process.memoryUsage().rss
    await expect(get(allowing(page), address)).rejects.toMatchObject({
      status: 400,
      code: 'page_too_large',
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
    body = Buffer.from('this is not packed at all')
    await expect(get(allowing(page), address)).rejects.toMatchObject({ status: 502 })
  })

  it('without end are cut off at the size and at the time', async () => {
    const flood = await listen((_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    await expect(get(allowing(flood), `http://127.0.0.1:${flood.port}/`)).rejects.toMatchObject({
      code: 'page_too_large',
    })
    const drip = await listen((_, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    })
    await expect(
      get(allowing(drip, { timeoutMilliseconds: 300 }), `http://127.0.0.1:${drip.port}/`),
    ).rejects.toMatchObject({ status: 504 })
    const silent = await listen(() => undefined)
    await expect(
      get(allowing(silent, { timeoutMilliseconds: 300 }), `http://127.0.0.1:${silent.port}/`),
    ).rejects.toMatchObject({
      status: 504,
    })
  })

  it('stop with the caller', async () => {
    const page = await listen(() => undefined)
    const controller = new AbortController()
    const reply = allowing(page).fetch(`http://127.0.0.1:${page.port}/`, {}, controller.signal)
    setTimeout(() => controller.abort(new Error('gone')), 50)
    await expect(reply).rejects.toThrow('gone')
  })
})

describe('an administrator', () => {
  it('can allow a host, a host with its port, or everything', async () => {
    const page = await listen()
    const other = await listen()
    const from = fetcher(
      { allowedHosts: [`page.test:${page.port}`, '[::1]', '127.0.0.1:80'] },
      { find: finding('127.0.0.1') },
    )
    expect((await get(from, `http://page.test:${page.port}/`)).status).toBe(200)
    expect((await get(from, `http://PAGE.test.:${page.port}/`)).status).toBe(200)
    await expect(get(from, `http://page.test:${other.port}/`)).rejects.toMatchObject({
      status: 400,
    })
    await expect(get(from, `http://127.0.0.1:${page.port}/`)).rejects.toMatchObject({ status: 400 })
    expect(from.check('http://[::1]:99/').port).toBe('99')
    expect(from.check('http://127.0.0.1/').port).toBe('')
    expect(other.connections()).toBe(0)
    expect(
      (await get(fetcher({ allowLocal: true }), `http://localhost:${page.port}/`)).status,
    ).toBe(200)
  })

  it('can take the gateway off the net', async () => {
    const page = await listen()
    await expect(
      get(allowing(page, { offline: true }), `http://127.0.0.1:${page.port}/`),
    ).rejects.toMatchObject({ status: 403 })
    expect(page.connections()).toBe(0)
  })
})

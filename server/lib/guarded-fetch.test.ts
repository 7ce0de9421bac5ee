import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { INSIDE_SPELLINGS } from '../testing/inside-spellings.ts'
import {
  GuardedFetch,
  type FetchPolicy,
  type FetchSeams,
  type NameLookup,
} from './guarded-fetch.ts'

const never = new AbortController().signal
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Listener {
  readonly port: number
  readonly connections: () => number
  readonly requests: { url: string; headers: Record<string, unknown>; method: string }[]
}

async function listen(
  answer: RequestListener = (_, response) => response.end('canary'),
  host = '127.0.0.1',
): Promise<Listener> {
  let connections = 0
  const requests: Listener['requests'] = []
  const server = createServer((request, response) => {
    requests.push({
      url: request.url ?? '',
      headers: request.headers,
      method: request.method ?? '',
    })
    answer(request, response)
  })
  server.on('connection', () => (connections += 1))
  server.listen(0, host)
  await once(server, 'listening')
  servers.push(server)
  return { port: (server.address() as AddressInfo).port, connections: () => connections, requests }
}

const RULES: FetchPolicy = {
  allowedHosts: [],
  allowLocal: false,
  maximumBytes: 1_000_000,
  timeoutMilliseconds: 5000,
  offline: false,
}
const fetcher = (rules: Partial<FetchPolicy> = {}, seams?: FetchSeams): GuardedFetch =>
  new GuardedFetch(() => ({ ...RULES, ...rules }), seams)
/** Lets the host of a test server through, as an administrator may. */
const allowing = (
  { port }: Listener,
  rules: Partial<FetchPolicy> = {},
  seams?: FetchSeams,
): GuardedFetch =>
  fetcher({ allowedHosts: [`127.0.0.1:${port}`, `page.test:${port}`], ...rules }, seams)
const get = (from: GuardedFetch, address: string, headers?: Record<string, string>) =>
  from.fetch(address, { headers }, never)

const finding =
  (...addresses: string[]): NameLookup =>
  (_, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

describe('addresses that are given (security rows 1 to 4)', () => {
  it(`are refused in all of ${INSIDE_SPELLINGS.length} spellings of places inside, and nobody there hears of it`, async () => {
    expect(INSIDE_SPELLINGS.length).toBeGreaterThanOrEqual(80)
    const canary = await listen()
    const from = fetcher()
    for (const spelling of INSIDE_SPELLINGS) {
      for (const address of [
        `http://${spelling}:${canary.port}/`,
        `https://${spelling}/`,
        `http:/${spelling}`,
        `http:${spelling}`,
      ]) {
        await expect(get(from, address), JSON.stringify(address)).rejects.toMatchObject({
          status: 400,
        })
      }
    }
    expect(canary.connections()).toBe(0)
  })

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:https://example.com/1',
    'ws://example.com/',
    'example.com',
    '//example.com/',
    '/etc/passwd',
    '',
    'http://',
    'http://user@example.com/',
    'http://example.com:80:81/',
    'http://example.com:99999/',
    'http://exa mple.com/',
    'http://[::1',
    `https://example.com/${'x'.repeat(9000)}`,
  ])('that are no web address are refused: %.40s', async (address) => {
    await expect(get(fetcher(), address)).rejects.toMatchObject({ status: 400 })
  })

  it('are dialled at the host that was checked, whatever they look like', async () => {
    const dialled: string[] = []
    const from = fetcher(
      {},
      {
        find: finding('93.184.216.34'),
        dial: async () => (options, done) => {
          dialled.push(options.hostname)
          done(new Error('no network here'), null)
        },
      },
    )
    const part = fc.oneof(
      fc.constantFrom(
        '127.0.0.1',
        'example.com',
        '169.254.169.254',
        'localhost',
        '[::1]',
        '1.1.1.1',
        'a.b',
        '0x7f.1',
        '例え.jp',
      ),
      fc.constantFrom(
        '@',
        ':',
        '/',
        '\\',
        '#',
        '?',
        '%',
        '.',
        '..',
        '//',
        '\t',
        '\n',
        ' ',
        '%2f',
        '%40',
        ':80',
        ':8080',
        '[',
        ']',
        ';',
        '&',
        '。',
      ),
      fc.string({ maxLength: 4 }),
      fc.webUrl(),
    )
    const address = fc
      .tuple(
        fc.constantFrom('http://', 'https://', 'http:', 'HTTP:\\\\', 'https:///', 'http:/', ''),
        fc.array(part, { maxLength: 6 }),
      )
      .map(([scheme, parts]) => scheme + parts.join(''))
    await fc.assert(
      fc.asyncProperty(address, async (text) => {
        dialled.length = 0
        let checked: URL | null = null
        try {
          checked = from.check(text)
        } catch {
          // Refused, so that nothing may be dialled either.
        }
        await expect(get(from, text)).rejects.toMatchObject({ name: 'ServiceError' })
        const host = checked?.hostname.replace(/^\[|\]$/g, '')
        expect(dialled.map((name) => name.replace(/^\[|\]$/g, ''))).toEqual(
          host === undefined ? [] : [host],
        )
        expect(host ?? '').not.toMatch(/^(127\.[\d.]+|169\.254\.[\d.]+|localhost\.?|::1)$/)
      }),
      { numRuns: 10_000 },
    )
  }, 60_000)
})

describe('names', () => {
  it('that change their address between two looks never lead inside (row 6)', async () => {
    const canary = await listen()
    let count = 0
    const dialled: string[] = []
    const from = fetcher(
      {},
      {
        find: (host, done) =>
          finding((count += 1) % 2 === 0 ? '127.0.0.1' : '93.184.216.34')(host, done),
        // What a connection does: it asks once for the addresses and dials one of them.
        dial:
          async ({ lookup }) =>
          (options, done) =>
            lookup(options.hostname, { all: true }, (error, found) => {
              if (!error)
                dialled.push(...(found as { address: string }[]).map(({ address }) => address))
              done(error ?? new Error('no network here'), null)
            }),
      },
    )
    const statuses = new Map<number, number>()
    for (let run = 0; run < 1000; run += 1) {
      const { status } = (await get(from, `http://flip.example:${canary.port}/`).catch(
        (error: unknown) => error,
      )) as { status: number }
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 400: 500, 502: 500 })
    expect(new Set(dialled)).toEqual(new Set(['93.184.216.34']))
    expect(canary.connections()).toBe(0)
  })

  it('that lead inside are refused with the real network, also beside a public address', async () => {
    const canary = await listen()
    for (const inside of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      const from = fetcher({}, { find: finding('93.184.216.34', inside) })
      await expect(get(from, `http://inside.example:${canary.port}/`)).rejects.toMatchObject({
        status: 400,
        code: 'address_refused',
      })
    }
    expect(canary.connections()).toBe(0)
  })

  it('nobody knows end in a sentence', async () => {
    const find: NameLookup = (_, done) => done(new Error('getaddrinfo ENOTFOUND'), [])
    await expect(get(fetcher({}, { find }), 'https://nowhere.example/')).rejects.toMatchObject({
      status: 502,
    })
  })
})

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

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { closeListeners, fetcher, finding, get, listen } from '../../testing/guarded-listener.ts'
import { INSIDE_SPELLINGS } from '../../testing/inside-spellings.ts'
import type { NameLookup } from './guarded-fetch.ts'

afterEach(closeListeners)

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
          // The address is refused, so no connection may be opened either.
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
        // Simulates a connection: resolves the addresses once and dials one of them.
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

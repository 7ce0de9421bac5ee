import { afterEach, expect, test } from 'vitest'
import { closeListeners, fetcher, listen, never } from '../../testing/guarded-listener.ts'
import { settingsOf } from '../../testing/settings-of.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'
import { isWantedDomain, searchWeb } from './search-web.ts'

afterEach(closeListeners)

test.each([
  ['breaks off', /search engine cannot be reached/, 5000],
  ['is silent', /search engine took too long/, 200],
])('An engine that %s is named in the reason', async (how, words, timeoutMilliseconds) => {
  const engine = await listen((request) => how === 'breaks off' && request.socket.destroy())
  const settings = settingsOf({
    WEB_SEARCH_ENGINE: 'searxng',
    SEARXNG_QUERY_URL: `http://127.0.0.1:${engine.port}/search`,
    WEB_SEARCH_RESULT_COUNT: 3,
  } as never) as RetrievalSettings
  const fetch = fetcher({ timeoutMilliseconds }, { isChosen: true })
  await expect(searchWeb({ settings, fetch }, ['tea'], never)).rejects.toThrow(words)
})

test.each([
  ['https://evil.example/page', false],
  ['https://evil.example./page', false],
  ['https://www.evil.example.:8443/page', false],
  ['https://EVIL.example/', false],
  ['https://xn--bse-sna.example/', false],
  ['https://böse.example./', false],
  ['https://notevil.example/', true],
  ['https://example/', true],
  ['no address', false],
])('A domain listed with ! holds for every spelling of its hosts: %s', (link, isWanted) => {
  expect(isWantedDomain(link, ['!Evil.example', '!böse.example'])).toBe(isWanted)
  expect(isWantedDomain(link, ['!evil.example.', '!xn--bse-sna.example.'])).toBe(isWanted)
})

test('Of listed domains only results in one of them are wanted, except those within one with !', () => {
  const filters = ['example.org', 'Good.example.', '!bad.good.example']
  const wanted = [
    'https://example.org./',
    'https://www.example.org/',
    'https://good.example/',
    'https://bad.good.example./',
    'https://good.example.com/',
  ].filter((link) => isWantedDomain(link, filters))
  expect(wanted).toEqual([
    'https://example.org./',
    'https://www.example.org/',
    'https://good.example/',
  ])
})

import { expect, test } from 'vitest'
import { isWantedDomain } from './search-web.ts'

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

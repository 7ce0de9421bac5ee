import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSafeLink } from './safe-link.ts'

describe('row 26: addresses that are not for opening stay plain text', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript\u200b:alert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'file:///etc/passwd',
    'blob:https://example.org/1',
    'about:blank',
    'view-source:https://example.org',
    'ms-settings:privacy',
    'tel:+49',
    'https://name:secret@example.org/',
    'https://bank.example\u202e.evil.example/',
    '/settings/keys',
    '//example.org/x',
    '#here',
    'example.org',
    '',
    null,
    undefined,
    7,
    {},
  ])('%o', (address) => {
    expect(toSafeLink(address)).toBeNull()
  })
})

it.each(['https://example.org/a?b=c#d', 'http://localhost:8642/', 'mailto:a@example.org'])(
  '%o may be opened',
  (address) => {
    expect(toSafeLink(address)?.href).toBe(address)
  },
)

it('whatever may be opened is http, https or mailto', () => {
  const address = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc
      .tuple(fc.constantFrom('javascript:', 'data:', 'https://'), fc.string())
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(address, (text) => {
      const url = toSafeLink(text)
      return url === null || ['http:', 'https:', 'mailto:'].includes(url.protocol)
    }),
  )
})

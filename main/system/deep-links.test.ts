import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepLinkSchema, type DeepLink } from '#desktop'
import { findLink, parseDeepLink, shortenLink, toLinkPath } from './deep-links.ts'
import { parseLaunchOptions } from '../launch/launch-options.ts'

const encode = (config: object): string => encodeURIComponent(JSON.stringify(config))
const base64 = (config: object): string =>
  encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))

test('a chat, a question and a tool server can be asked for', () => {
  expect(parseDeepLink('chat-gateway://chat/0b6a-7')).toEqual({ kind: 'chat', chatId: '0b6a-7' })
  expect(parseDeepLink('CHAT-GATEWAY://chat/1')).toEqual({ kind: 'chat', chatId: '1' })
  expect(parseDeepLink('chat-gateway://ask?text=Why%3F%0ATell+me&model=qwen3:8b')).toEqual({
    kind: 'ask',
    text: 'Why?\nTell me',
    model: 'qwen3:8b',
  })
  const config = { command: 'npx', args: ['-y', 'server-memory'], env: { LEVEL: 'info' } }
  const wanted = { kind: 'tool-server', name: 'memory', config }
  for (const written of [encode(config), base64(config)])
    expect(parseDeepLink(`chat-gateway://add-mcp?name=memory&config=${written}`)).toEqual(wanted)
})

const REFUSED: readonly (readonly [string, Extract<DeepLink, { kind: 'refused' }>['reason']])[] = [
  [`chat-gateway://ask?text=${'a'.repeat(20_000)}`, 'long'],
  [`chat-gateway://ask?text=${'a'.repeat(9_000)}`, 'unknown'],
  ['chat-gateway://ask?text=', 'unknown'],
  ['chat-gateway://ask?text=a&text=b', 'unknown'],
  ['chat-gateway://ask?text=a&submit=true', 'unknown'],
  ['chat-gateway://ask/path?text=a', 'unknown'],
  ['chat-gateway://ask?text=a%00b', 'unreadable'],
  ['chat-gateway://ask?text=a%E2%80%AEb', 'unreadable'],
  ['chat-gateway://ask?text=%E0%A4%A', 'unreadable'],
  // Characters that take no place: tags, variation selectors, a soft hyphen, a mark, a filler.
  ...['\u{e0061}', '\u{e0101}', '\u00ad', '\u061c', '\u3164', '\ufe01'].map(
    (hidden) => [`chat-gateway://ask?text=a${encodeURIComponent(hidden)}`, 'unreadable'] as const,
  ),
  ['chat-gateway://ask?text=a&model=<script>', 'unknown'],
  ['chat-gateway://chat/', 'unknown'],
  ['chat-gateway://chat/..%2f..%2fetc', 'unknown'],
  ['chat-gateway://chat/1/2', 'unknown'],
  ['chat-gateway://chat/javascript:alert(1)', 'unknown'],
  ['chat-gateway://chat/1?next=https://example.org', 'unknown'],
  ['chat-gateway://user:word@chat/1', 'unreadable'],
  ['chat-gateway://chat:80/1', 'unreadable'],
  ['chat-gateway://chat/1#x', 'unreadable'],
  ['chat-gateway://settings/connections', 'unknown'],
  ['chat-gateway://constructor?text=a', 'unknown'],
  ['chat-gateway:', 'unknown'],
  ['https://example.org/', 'unreadable'],
  ['no address', 'unreadable'],
  ['chat-gateway://add-mcp?name=memory&config=%7Bbroken', 'unreadable'],
  [`chat-gateway://add-mcp?name=memory&config=${encode([])}`, 'unreadable'],
  [`chat-gateway://add-mcp?name=memory&config=${encode({})}`, 'unknown'],
  [`chat-gateway://add-mcp?name=memory&config=${encode({ url: 'file:///etc/passwd' })}`, 'unknown'],
  [
    `chat-gateway://add-mcp?name=m&config=${encode({ command: 'a', url: 'https://a.example' })}`,
    'unknown',
  ],
  [
    `chat-gateway://add-mcp?name=m&config=${encode({ command: 'a', autoApprove: ['*'] })}`,
    'unknown',
  ],
  [`chat-gateway://add-mcp?name=..%2Fm&config=${encode({ command: 'a' })}`, 'unknown'],
  [`chat-gateway://add-mcp?name=m&config=${encode({ command: 'a\u0000b' })}`, 'unreadable'],
]

test.each(REFUSED)('%s is not followed', (link, reason) => {
  expect(parseDeepLink(link)).toEqual({ kind: 'refused', reason })
})

test('what is written in any language and with pictures can be asked for', () => {
  for (const text of ['Größe — 漢字 مرحبا שלום', 'I ❤️ tea 🍵', 'a\tb\nc'])
    expect(parseDeepLink(`chat-gateway://ask?text=${encodeURIComponent(text)}`)).toEqual({
      kind: 'ask',
      text,
      model: null,
    })
})

test('row 119: whatever a link says, the answer is only something to show', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'ask',
      'chat',
      'add-mcp',
      '?text=',
      '&config=',
      '&name=',
      '{"command":',
      '%',
      '\u202e',
      '/',
      '--inspect',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const link = parseDeepLink(`chat-gateway://${parts.join('')}`)
      expect(deepLinkSchema.safeParse(link).success).toBe(true)
      const place = new URL(toLinkPath(link), 'http://127.0.0.1')
      expect(place.pathname).toBe('/link')
      expect(JSON.parse(place.searchParams.get('asked')!)).toEqual(link)
    }),
    { numRuns: 5_000 },
  )
})

test('row 120: a link is found among the arguments, and nothing in it becomes an option', () => {
  const link = 'chat-gateway://ask?text=--inspect%20--profile=/tmp/x'
  const argv = ['/app/chat-gateway', '--gpu-launcher=x', link]
  expect(findLink(argv)).toBe(link)
  expect(findLink(['/app/chat-gateway', '--', '--profile=/p'])).toBeNull()
  expect(parseLaunchOptions(argv)).toEqual(parseLaunchOptions([]))
})

test('a link too long to be handed to the running app is cut to one that is refused as too long', () => {
  const link = `chat-gateway://ask?text=${'é'.repeat(12_000)}`
  expect(shortenLink(['app', 'chat-gateway://ask?text=short', '--', '--hidden'])).toBeNull()
  const [folder, short, ...others] = shortenLink(['app', link, '--', '--hidden'])!
  expect([folder, ...others]).toEqual(['app', '--', '--hidden'])
  expect(shortenLink(['app', short!])).toBeNull()
  expect(parseDeepLink(short!)).toEqual({ kind: 'refused', reason: 'long' })
})

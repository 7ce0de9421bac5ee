import { beforeEach, expect, test, vi } from 'vitest'
import { createOpenExternal, parseExternalUrl } from './external-links.ts'

const { showMessageBox, openExternal } = vi.hoisted(() => ({
  showMessageBox: vi.fn(),
  openExternal: vi.fn(),
}))
vi.mock('electron', () => ({ dialog: { showMessageBox }, shell: { openExternal } }))

beforeEach(() => {
  vi.resetAllMocks()
  showMessageBox.mockResolvedValue({ response: 0 })
})

const ALLOWED = [
  'https://example.org/',
  'HTTPS://example.org/a?b#c',
  'http://192.0.2.1:8080/',
  'mailto:a@example.org',
  'MailTo:a@example.org?subject=x',
]

const SCHEMES = [
  'file',
  'smb',
  'ms-settings',
  'ms-msdt',
  'javascript',
  'data',
  'vbscript',
  'blob',
  'ftp',
  'ssh',
  'tel',
  'chrome',
  'devtools',
  'about',
  'view-source',
  'search-ms',
  'ldap',
]
const REFUSED = [
  ...SCHEMES.flatMap((scheme) => [
    `${scheme}:x`,
    `${scheme}://host/x`,
    `${scheme.toUpperCase()}:x`,
    ` ${scheme}:x`,
  ]),
  '',
  'example.org',
  '//example.org',
  '\\\\server\\share',
  'https:example.org',
  'https:/example.org',
  'https:\\\\example.org',
  'http:///',
  'https://user@example.org/',
  'https://user:word@example.org/',
  'java\nscript:alert(1)',
  'https://example.org/\u0000',
  'https://example.org/a b',
  'https://exam\tple.org/',
  '\u0001https://example.org/',
  'https://example.org/\u202egnp.exe',
  `https://example.org/${'a'.repeat(5000)}`,
]

test('row 121: https, http and mailto are accepted in any spelling of the scheme', () => {
  for (const text of ALLOWED) expect(parseExternalUrl(text), text).not.toBeNull()
})

test('row 121: every other scheme, credentials, control and invisible characters are refused', () => {
  for (const text of REFUSED) expect(parseExternalUrl(text), JSON.stringify(text)).toBeNull()
})

test('an address is opened only after the person agreed, and the question names the host', async () => {
  const open = createOpenExternal()
  expect(await open('https://example.org/path', null)).toBe(true)
  expect(showMessageBox.mock.calls[0]![0]).toMatchObject({
    message: 'Open example.org in your browser?',
    defaultId: 1,
    cancelId: 1,
  })
  expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://example.org/path')
})

test('a refused or cancelled address opens nothing', async () => {
  const open = createOpenExternal()
  expect(await open('file:///etc/passwd', null)).toBe(false)
  expect(showMessageBox).not.toHaveBeenCalled()
  showMessageBox.mockResolvedValue({ response: 1 })
  expect(await open('https://example.org/', null)).toBe(false)
  expect(openExternal).not.toHaveBeenCalled()
})

test('a page that fires many links gets one question', async () => {
  const answer = Promise.withResolvers<{ response: number }>()
  showMessageBox.mockReturnValue(answer.promise)
  const open = createOpenExternal()
  const opened = Array.from({ length: 50 }, (_, index) =>
    open(`https://example.org/${index}`, null),
  )
  answer.resolve({ response: 0 })
  expect((await Promise.all(opened)).filter(Boolean)).toHaveLength(1)
  expect(showMessageBox).toHaveBeenCalledOnce()
})

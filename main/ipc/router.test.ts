import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { requests, type RequestName } from '#desktop'
import { createLogger } from '../profile/log.ts'
import { createRouter, type RequestHandlers } from './router.ts'

const names = Object.keys(requests) as RequestName[]

const GOOD: { [Name in RequestName]: { input: object; output: object } } = {
  'app.info': {
    input: {},
    output: {
      productVersion: '1',
      electronVersion: '2',
      platform: 'linux',
      gatewayUrl: 'http://127.0.0.1:1',
      dataFolder: '/d',
      secrets: { kind: 'keychain', warning: null },
    },
  },
  'session.takeKey': { input: {}, output: { key: null } },
  'shell.openExternal': { input: { url: 'https://example.org/' }, output: { opened: true } },
  'window.setTheme': { input: { theme: 'dark' }, output: {} },
  'window.setMarks': { input: { unread: 3, downloads: 0.5 }, output: {} },
  'window.setLanguage': { input: { language: 'de' }, output: {} },
  'notification.show': { input: { title: 't', body: 'b', path: '/c/c' }, output: { shown: true } },
  'data.openFolder': { input: {}, output: {} },
  'gateway.restart': { input: {}, output: {} },
  'shell.settings': {
    input: { change: { quickAskShortcut: 'Alt+Space' } },
    output: {
      quickAskShortcut: 'Alt+Space',
      quickAskShortcutState: 'active',
      quickAskStaysOnTop: true,
      staysInTray: false,
      startsAtLogin: false,
      isPaused: false,
      offersLogin: true,
      checksSpelling: false,
      downloadsWordList: true,
      updates: null,
    },
  },
  'quickAsk.act': { input: { act: 'continue', path: '/c/c' }, output: {} },
  'updates.act': {
    input: { act: 'look' },
    output: {
      way: 'itself',
      phase: 'found',
      version: '1.0.0',
      found: { version: '1.1.0', notes: 'New' },
      share: null,
      isNews: true,
      problem: null,
      detail: null,
    },
  },
}

const event = {} as IpcMainInvokeEvent
const window = {} as BrowserWindow

function createFixture(
  options: { isTrusted?: boolean; answer?: (name: RequestName) => unknown } = {},
) {
  const { isTrusted = true, answer = (name: RequestName) => GOOD[name].output } = options
  const calls = vi.fn()
  const lines: string[] = []
  const handlers = Object.fromEntries(
    names.map((name) => [
      name,
      (input: unknown) => {
        calls(name, input)
        return answer(name)
      },
    ]),
  ) as unknown as RequestHandlers
  const route = createRouter({
    handlers,
    trustedWindow: () => (isTrusted ? window : null),
    log: createLogger('error', (line) => lines.push(line)),
  })
  return { route, calls, lines }
}

test.each(names)('%s is answered for a trusted sender with good input', async (name) => {
  const { route, calls } = createFixture()
  expect(await route(event, name, GOOD[name].input)).toEqual({
    ok: true,
    output: GOOD[name].output,
  })
  expect(calls).toHaveBeenCalledExactlyOnceWith(name, GOOD[name].input)
})

test.each(names)('%s is refused for every other sender', async (name) => {
  const { route, calls } = createFixture({ isTrusted: false })
  expect(await route(event, name, GOOD[name].input)).toMatchObject({
    ok: false,
    error: { code: 'untrusted_sender' },
  })
  expect(calls).not.toHaveBeenCalled()
})

test.each(names)(
  'row 122: %s with hostile input is refused before its handler sees it',
  async (name) => {
    const { route, calls } = createFixture()
    const hostile = [
      undefined,
      null,
      1,
      'text',
      [],
      [{}],
      { ...GOOD[name].input, extra: '/etc/passwd' },
      { __proto__: {}, path: '../../x' },
    ]
    for (const input of hostile)
      expect(await route(event, name, input)).toMatchObject({
        ok: false,
        error: { code: 'invalid_input' },
      })
    expect(calls).not.toHaveBeenCalled()
  },
)

test('row 122: whatever is sent, the answer is plain data and only known requests reach a handler', async () => {
  const { route, calls } = createFixture()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(...names, '__proto__', 'constructor', 'toString'), fc.anything()),
      fc.anything(),
      async (name, input) => {
        const reply = await route(event, name, input)
        expect(structuredClone(reply)).toEqual(reply)
        expect(!reply.ok || names.includes(name as RequestName)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
  for (const [name] of calls.mock.calls) expect(names).toContain(name)
})

test('a handler that fails is answered with a fixed sentence, the cause goes to the log only', async () => {
  const { route, lines } = createFixture({
    answer: () => {
      throw new Error('secret path /home/person/x')
    },
  })
  const reply = await route(event, 'data.openFolder', {})
  expect(reply).toMatchObject({ ok: false, error: { code: 'failed' } })
  expect(JSON.stringify(reply)).not.toContain('secret path')
  expect(lines.join('')).toContain('secret path')
})

test('a handler cannot leak more than the contract names', async () => {
  const { route } = createFixture({ answer: () => ({ opened: true, token: 'abc' }) })
  expect(await route(event, 'shell.openExternal', GOOD['shell.openExternal'].input)).toEqual({
    ok: true,
    output: { opened: true },
  })
})

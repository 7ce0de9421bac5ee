import fc from 'fast-check'
import type { Session, WebContents } from 'electron'
import { expect, test, vi } from 'vitest'
import {
  isNeededForCode,
  isOwnAddress,
  isPermissionAllowed,
  isRequestAllowed,
  secureCodeSession,
  secureContents,
  secureSession,
  toCodeAddress,
} from './security.ts'

const ORIGIN = 'http://127.0.0.1:8642'

type PermissionName = Parameters<
  NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>
>[1]

/** Every name Electron knows; the type check fails when a name is added there and missing here. */
const PERMISSIONS: Record<PermissionName, boolean> = {
  ar: false,
  'automatic-fullscreen': false,
  'background-fetch': false,
  'background-sync': false,
  'captured-surface-control': false,
  'clipboard-read': false,
  'clipboard-sanitized-write': true,
  'deprecated-sync-clipboard-read': false,
  'display-capture': false,
  fileSystem: false,
  fullscreen: false,
  geolocation: false,
  'geolocation-approximate': false,
  'hand-tracking': false,
  hid: false,
  'idle-detection': false,
  keyboardLock: false,
  'local-fonts': false,
  'local-network': false,
  'local-network-access': false,
  'loopback-network': false,
  media: false,
  mediaKeySystem: false,
  midi: false,
  midiSysex: false,
  nfc: false,
  notifications: true,
  openExternal: false,
  'payment-handler': false,
  'periodic-background-sync': false,
  'persistent-storage': false,
  pointerLock: false,
  'screen-wake-lock': false,
  sensors: false,
  serial: false,
  'smart-card': false,
  'speaker-selection': false,
  'storage-access': false,
  'system-wake-lock': false,
  'top-level-storage-access': false,
  usb: false,
  vr: false,
  'web-app-installation': false,
  'web-printing': false,
  'window-management': false,
  unknown: false,
}
const permissionTable = Object.entries(PERMISSIONS) as [PermissionName, boolean][]

interface FakeSession {
  ask(permission: PermissionName, details: { requestingUrl: string; isMainFrame: boolean }): boolean
  check(permission: PermissionName, origin: string, isMainFrame: boolean): boolean
  device(): boolean
  isCancelled(
    url: string,
    more?: { resourceType: string; frame: { url: string } | null },
  ): Promise<boolean>
}

function secureFakeSession(
  options: {
    pageOrigin?: string | null
    gatewayOrigin?: string | null
    allowsDevTools?: boolean
  } = {},
): FakeSession {
  const handlers = { request: vi.fn(), check: vi.fn(), device: vi.fn(), before: vi.fn() }
  const session = {
    setPermissionRequestHandler: (handler: never) => handlers.request.mockImplementation(handler),
    setPermissionCheckHandler: (handler: never) => handlers.check.mockImplementation(handler),
    setDevicePermissionHandler: (handler: never) => handlers.device.mockImplementation(handler),
    webRequest: {
      onBeforeRequest: (handler: never) => handlers.before.mockImplementation(handler),
    },
  }
  const { pageOrigin = ORIGIN, gatewayOrigin = ORIGIN, allowsDevTools = false } = options
  secureSession(session as unknown as Session, {
    pageOrigin: () => pageOrigin,
    gatewayOrigin: () => gatewayOrigin,
    allowsDevTools,
    traffic: { follow: () => undefined, expect: () => undefined },
    mayLeave: () => Promise.resolve(true),
  })
  return {
    ask(permission, details) {
      const answer = vi.fn()
      handlers.request(null, permission, answer, details)
      return answer.mock.calls[0]![0]
    },
    check: (permission, origin, isMainFrame) =>
      handlers.check(null, permission, origin, { isMainFrame }),
    device: () => handlers.device({}),
    isCancelled(url, more) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      handlers.before({ id: 1, url, ...more }, ({ cancel }: { cancel: boolean }) => resolve(cancel))
      return promise
    },
  }
}

test('only copying and notifying are allowed, of all permissions there are', () => {
  const session = secureFakeSession()
  for (const [permission, isAllowed] of permissionTable) {
    expect(
      session.ask(permission, { requestingUrl: `${ORIGIN}/c/1`, isMainFrame: true }),
      permission,
    ).toBe(isAllowed)
    expect(session.check(permission, `${ORIGIN}/`, true), permission).toBe(isAllowed)
  }
})

test('frames, other origins and a window without a page get no permission at all', () => {
  const session = secureFakeSession()
  const withoutPage = secureFakeSession({ pageOrigin: null })
  for (const [permission] of permissionTable) {
    expect(session.ask(permission, { requestingUrl: `${ORIGIN}/`, isMainFrame: false })).toBe(false)
    expect(session.check(permission, ORIGIN, false)).toBe(false)
    expect(
      session.ask(permission, { requestingUrl: 'http://127.0.0.1:8643/', isMainFrame: true }),
    ).toBe(false)
    expect(session.check(permission, 'https://example.org', true)).toBe(false)
    expect(withoutPage.ask(permission, { requestingUrl: `${ORIGIN}/`, isMainFrame: true })).toBe(
      false,
    )
    expect(isPermissionAllowed(permission, '', ORIGIN)).toBe(false)
  }
  expect(session.device()).toBe(false)
})

test('the window talks to the running gateway only, over HTTP and WebSocket', async () => {
  const session = secureFakeSession()
  for (const url of [
    `${ORIGIN}/`,
    `${ORIGIN}/api/config`,
    'ws://127.0.0.1:8642/ws',
    'data:image/png;base64,AA',
    `blob:${ORIGIN}/1`,
  ]) {
    expect(await session.isCancelled(url), url).toBe(false)
  }
  for (const url of [
    'http://127.0.0.1:8643/',
    'https://example.org/',
    'wss://127.0.0.1:8642/ws',
    'ws://example.org/',
    'file:///etc/passwd',
    'devtools://devtools/x',
  ]) {
    expect(await session.isCancelled(url), url).toBe(true)
  }
  expect(
    await secureFakeSession({ allowsDevTools: true }).isCancelled('devtools://devtools/x'),
  ).toBe(false)
})

test('only scripts of the document for tool servers reach other servers', async () => {
  const session = secureFakeSession()
  const frame = `${ORIGIN}/api/v1/tool_servers/frame`
  const from = (url: string | null, resourceType = 'xhr') => ({
    resourceType,
    frame: url === null ? null : { url },
  })
  expect(await session.isCancelled('http://127.0.0.1:8200/openapi.json', from(frame))).toBe(false)
  for (const [url, more] of [
    ['http://127.0.0.1:8200/', from(`${ORIGIN}/`)],
    ['http://127.0.0.1:8200/', from(`${ORIGIN}/c/1#${frame}`)],
    ['http://127.0.0.1:8200/', from('http://127.0.0.1:8643/api/v1/tool_servers/frame')],
    ['http://127.0.0.1:8200/', from(null)],
    ['http://127.0.0.1:8200/', from(frame, 'image')],
    ['http://127.0.0.1:8200/', from(frame, 'subFrame')],
    ['file:///etc/passwd', from(frame)],
    ['ws://127.0.0.1:8200/', from(frame)],
  ] as const) {
    expect(await session.isCancelled(url, more), `${url} ${JSON.stringify(more)}`).toBe(true)
  }
  expect(
    await secureFakeSession({ gatewayOrigin: null }).isCancelled(
      'http://127.0.0.1:8200/',
      from(frame),
    ),
  ).toBe(true)
})

test('while the gateway is down the window talks to nobody, so a program that takes the port sees no cookie', async () => {
  const session = secureFakeSession({ gatewayOrigin: null })
  for (const url of [`${ORIGIN}/`, 'ws://127.0.0.1:8642/ws', 'http://localhost:8642/'])
    expect(await session.isCancelled(url), url).toBe(true)
})

/** Returns URLs that look like the gateway's and are not. */
function foreignAddresses(): string[] {
  const hosts = [
    '127.0.0.1:8643',
    '127.0.0.1',
    '127.0.0.2:8642',
    'localhost:8642',
    '[::1]:8642',
    '0.0.0.0:8642',
    'example.org',
    '127.0.0.1.example.org:8642',
  ]
  const tricks = [
    '127.0.0.1:8642@example.org',
    'user@127.0.0.1:8642',
    'a:b@127.0.0.1:8642',
    '127.0.0.1:86420',
    '127.0.0.1:8642.example.org',
    'xn--127-0-0-1.example:8642',
  ]
  const schemes = [
    'http',
    'https',
    'HTTP',
    'ftp',
    'file',
    'ws',
    'chrome',
    'devtools',
    'chat-gateway',
    'view-source:http',
    'filesystem:http',
    'blob:http',
    'javascript',
    'data',
  ]
  const tails = [
    '',
    '/',
    '/c/1',
    '/?x=http://127.0.0.1:8642/',
    '/#http://127.0.0.1:8642',
    '\\@127.0.0.1:8642',
  ]
  const foreign = [...hosts, ...tricks].flatMap((host) =>
    schemes.flatMap((scheme) => tails.map((tail) => `${scheme}://${host}${tail}`)),
  )
  const wrongScheme = schemes
    .filter((scheme) => scheme.toLowerCase() !== 'http')
    .map((scheme) => `${scheme}://127.0.0.1:8642/`)
  return [
    ...foreign,
    ...wrongScheme,
    'about:blank',
    'about:srcdoc',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
    ' ',
    '//',
    '127.0.0.1:8642',
  ]
}

interface FakeContents {
  emit(name: string, event: object): void
  openWindow(url: string): unknown
  readonly left: string[]
}

function secureFakeContents(pageOrigin: string | null = ORIGIN, allowsDevTools = false) {
  const listeners = new Map<string, (event: object) => void>()
  let openWindow: (details: { url: string }) => unknown = () => undefined
  const left: string[] = []
  const closeDevTools = vi.fn()
  const contents = {
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    setWindowOpenHandler: (handler: typeof openWindow) => (openWindow = handler),
    closeDevTools,
  }
  secureContents(contents as unknown as WebContents, {
    pageOrigin: () => pageOrigin,
    onExternal: (url) => left.push(url),
    allowsDevTools,
  })
  const fake: FakeContents = {
    emit: (name, event) => listeners.get(name)?.(event),
    openWindow: (url) => openWindow({ url }),
    left,
  }
  return { ...fake, closeDevTools }
}

function isStopped(
  contents: FakeContents,
  name: string,
  url: string,
  isMainFrame: boolean,
): boolean {
  const preventDefault = vi.fn()
  contents.emit(name, { url, isMainFrame, preventDefault })
  return preventDefault.mock.calls.length > 0
}

test('navigation, redirects and frames stay inside the gateway, tried with more than 500 addresses', () => {
  const contents = secureFakeContents()
  const addresses = foreignAddresses()
  expect(addresses.length).toBeGreaterThan(500)
  for (const url of addresses) {
    expect(isStopped(contents, 'will-navigate', url, true), url).toBe(true)
    expect(isStopped(contents, 'will-redirect', url, true), url).toBe(true)
    expect(isStopped(contents, 'will-frame-navigate', url, false), url).toBe(true)
  }
  expect(contents.left).toHaveLength(addresses.length * 2)
  for (const path of ['/', '/c/1', '/auth?redirect=%2F', '/#settings']) {
    for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate'])
      expect(isStopped(contents, name, `${ORIGIN}${path}`, true)).toBe(false)
  }
})

test('no text counts as our address unless its origin is ours', () => {
  const text = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc.string().map((tail) => `${ORIGIN}${tail}`),
  )
  const isSound = (candidate: string): boolean =>
    (!isOwnAddress(candidate, ORIGIN) || new URL(candidate).origin === ORIGIN) &&
    (!isRequestAllowed(candidate, null) || /^(blob|data):/i.test(candidate))
  expect(fc.check(fc.property(text, isSound), { numRuns: 2_000 })).toMatchObject({ failed: false })
})

test('row 117: a new window is always denied and its address offered to the browser', () => {
  const contents = secureFakeContents()
  for (const url of [`${ORIGIN}/`, 'https://example.org/', 'about:blank'])
    expect(contents.openWindow(url)).toEqual({ action: 'deny' })
  expect(contents.left).toEqual([`${ORIGIN}/`, 'https://example.org/', 'about:blank'])
})

test('an embedded view is never attached', () => {
  expect(isStopped(secureFakeContents(), 'will-attach-webview', '', true)).toBe(true)
})

test('the developer tools close at once outside of development', () => {
  const shipped = secureFakeContents()
  shipped.emit('devtools-opened', {})
  expect(shipped.closeDevTools).toHaveBeenCalledOnce()
  const development = secureFakeContents(ORIGIN, true)
  development.emit('devtools-opened', {})
  expect(development.closeDevTools).not.toHaveBeenCalled()
})

test('a document that runs code gets its script and its workers, and no other address', () => {
  const address = toCodeAddress(ORIGIN)
  expect(address).toBe(`${ORIGIN}/frames/python.html`)
  expect(toCodeAddress(`${ORIGIN}/base/`)).toBe(`${ORIGIN}/base/frames/python.html`)
  for (const url of [address, `${ORIGIN}/frames/python.js`, 'blob:null/1'])
    expect(isNeededForCode(url, address), url).toBe(true)
  const others = [
    ORIGIN,
    `${ORIGIN}/health`,
    `${address}?x`,
    `${ORIGIN}/frames/artifact.html`,
    'ws://127.0.0.1:8642/ws',
    'http://127.0.0.1:8643/frames/python.html',
    'https://example.org/',
    'data:text/html,x',
    'file:///etc/passwd',
  ]
  for (const url of others) expect(isNeededForCode(url, address), url).toBe(false)
})

test('a session that runs code is granted nothing', () => {
  const handlers: Record<string, (...values: never[]) => unknown> = {}
  const keep =
    (name: string) =>
    (handler: (...values: never[]) => unknown): void =>
      void (handlers[name] = handler)
  secureCodeSession(
    {
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
      webRequest: { onBeforeRequest: keep('before') },
    } as unknown as Session,
    toCodeAddress(ORIGIN),
  )
  const answers: unknown[] = []
  const answer = (value: unknown): void => void answers.push(value)
  const call = (name: string, ...values: unknown[]) => handlers[name]!(...(values as never[]))
  for (const permission of Object.keys(PERMISSIONS)) {
    call('request', null, permission, answer)
    expect(call('check', null, permission)).toBe(false)
  }
  expect(new Set(answers)).toEqual(new Set([false]))
  expect(call('device')).toBe(false)
  answers.length = 0
  call('before', { url: `${ORIGIN}/api/v1/chats` }, answer)
  call('before', { url: `${ORIGIN}/frames/python.js` }, answer)
  expect(answers).toEqual([{ cancel: true }, { cancel: false }])
})

import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../profile/log.ts'
import { MainWindow } from './main-window.ts'

vi.mock('electron', () => ({}))

beforeEach(() => {
  vi.useFakeTimers()
})

const FIRST = 'http://127.0.0.1:8642'

function setUp() {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => ({
    ok: true,
    status: 200,
    headers: new Headers({ 'X-Session-Key': 'half of the window' }),
  }))
  let address = ''
  const webContents = Object.assign(new EventEmitter(), {
    session: { fetch },
    getURL: () => address,
    send: vi.fn(),
  })
  const loadURL = vi.fn(async (url: string) => void (address = url))
  const window = {
    webContents,
    loadURL,
    isDestroyed: () => false,
    isMinimized: () => false,
    show: vi.fn(),
    focus: vi.fn(),
  }
  let codes = 0
  const gateway: { origin: string | null; requestCode: () => Promise<string> } = {
    origin: FIRST,
    requestCode: async () => `single-use-code-${(codes += 1)}`,
  }
  const sendPlace = vi.fn()
  const main = new MainWindow({
    window: window as unknown as BrowserWindow,
    gateway,
    sendPlace,
    log: createLogger('silent', () => undefined),
  })
  return { main, gateway, fetch, loadURL, webContents, sendPlace }
}

test('the window is signed in by a code in a request body before the page loads; no address carries it', async () => {
  const { main, fetch, loadURL } = setUp()
  await main.connect()
  const [url, init] = fetch.mock.calls[0]!
  expect(url).toBe(`${FIRST}/api/v1/auths/desktop`)
  expect(init).toMatchObject({
    method: 'POST',
    redirect: 'error',
    body: JSON.stringify({ code: 'single-use-code-1' }),
  })
  expect(loadURL).toHaveBeenCalledExactlyOnceWith(`${FIRST}/`)
})

test('the page takes its half of the session once after each sign-in', async () => {
  const { main, gateway } = setUp()
  expect(main.takeSessionKey()).toBeNull()
  await main.connect()
  expect([main.takeSessionKey(), main.takeSessionKey()]).toEqual(['half of the window', null])
  gateway.origin = 'http://127.0.0.1:8643'
  await main.connect()
  expect(main.takeSessionKey()).toBe('half of the window')
})

test('a gateway that is back at the same address leaves the page and its draft alone', async () => {
  const { main, gateway, fetch, loadURL } = setUp()
  await main.connect()
  gateway.origin = null
  await main.connect()
  gateway.origin = FIRST
  await main.connect()
  expect(fetch).toHaveBeenCalledOnce()
  expect(loadURL).toHaveBeenCalledOnce()
  expect(main.pageOrigin()).toBe(FIRST)
})

test('a gateway that comes back at another port is signed in to and loaded afresh', async () => {
  const { main, gateway, loadURL, fetch } = setUp()
  await main.connect()
  gateway.origin = 'http://127.0.0.1:8643'
  await main.connect()
  expect(fetch.mock.calls[1]![1]).toMatchObject({
    body: JSON.stringify({ code: 'single-use-code-2' }),
  })
  expect(loadURL).toHaveBeenLastCalledWith('http://127.0.0.1:8643/')
})

test('a refused sign-in or a page that does not load is tried again with a fresh code', async () => {
  const { main, fetch, loadURL } = setUp()
  fetch.mockResolvedValueOnce({ ok: false, status: 401, headers: new Headers() })
  loadURL.mockRejectedValueOnce(new Error('ERR_CONNECTION_RESET'))
  await main.connect()
  expect(loadURL).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(loadURL).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(fetch).toHaveBeenCalledTimes(3)
  expect(loadURL).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(fetch).toHaveBeenCalledTimes(3)
})

test('a page lost while the gateway was down is loaded again when it is back', async () => {
  const { main, gateway, loadURL, webContents } = setUp()
  await main.connect()
  gateway.origin = null
  webContents.emit('did-fail-load', {}, -20, 'ERR_BLOCKED_BY_CLIENT', FIRST, true)
  gateway.origin = FIRST
  await main.connect()
  expect(loadURL).toHaveBeenCalledTimes(2)
  webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', FIRST, true)
  webContents.emit('did-fail-load', {}, -20, 'ERR_BLOCKED_BY_CLIENT', 'https://example.org/', false)
  await main.connect()
  expect(loadURL).toHaveBeenCalledTimes(2)
})

test('a place waits until the page listens, and again while it is loaded anew', async () => {
  const { main, sendPlace, webContents } = setUp()
  await main.connect()
  main.openPlace('/c/1')
  expect(sendPlace).not.toHaveBeenCalled()
  main.takeSessionKey()
  expect(sendPlace).toHaveBeenCalledExactlyOnceWith('/c/1')
  main.openPlace('/c/2')
  expect(sendPlace).toHaveBeenLastCalledWith('/c/2')
  webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true })
  main.openPlace('/c/3')
  expect(sendPlace).toHaveBeenCalledTimes(3)
  webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })
  main.openPlace('/c/4')
  expect(sendPlace).toHaveBeenCalledTimes(3)
  main.takeSessionKey()
  expect(sendPlace).toHaveBeenLastCalledWith('/c/4')
})

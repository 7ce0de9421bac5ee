import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import { ipcChannels } from '#desktop'
import { createLogger } from '../profile/log.ts'
import { PageWindows } from './page-windows.ts'
import { ShellStateFile, type ShellState } from '../profile/shell-state.ts'

vi.mock('electron', () => ({ app: {} }))

const ORIGIN = 'http://127.0.0.1:8642'

function createWindow(address: string) {
  const state = { isFocused: false, address, zoom: 0 }
  const webContents = Object.assign(new EventEmitter(), {
    getURL: () => state.address,
    getZoomLevel: () => state.zoom,
    setZoomLevel: (zoom: number) => (state.zoom = zoom),
    setWindowOpenHandler: vi.fn(),
    send: vi.fn(),
  })
  const window = Object.assign(new EventEmitter(), {
    webContents,
    isDestroyed: () => false,
    isFocused: () => state.isFocused,
  })
  return { state, webContents, window: window as unknown as BrowserWindow }
}

function setUp() {
  const onExternal = vi.fn()
  const shellState = {
    current: new ShellStateFile('/nowhere/shell.json').current,
    update: vi.fn(),
    remember: vi.fn(
      (change: Partial<ShellState>) => void Object.assign(shellState.current, change),
    ),
  }
  const pages = new PageWindows({
    pageOrigin: () => ORIGIN,
    onExternal,
    allowsDevTools: false,
    state: shellState,
    log: createLogger('silent', () => undefined),
  })
  const [first, second] = [createWindow(`${ORIGIN}/c/1`), createWindow(`${ORIGIN}/quick`)]
  pages.add(first.window)
  pages.add(second.window)
  return { pages, first, second, onExternal, shellState }
}

test('events reach the gateway’s own page only, and only as the contract describes them', () => {
  const { pages, first } = setUp()
  pages.send(first.window, 'command', { id: 'chat.new', extra: 1 } as { id: 'chat.new' })
  first.state.address = 'http://127.0.0.1:8643/'
  pages.send(first.window, 'command', { id: 'chat.new' })
  expect(first.webContents.send.mock.calls).toEqual([
    [ipcChannels.event, 'command', { id: 'chat.new' }],
  ])
})

test('every window is told what is for all, until it is closed', () => {
  const { pages, first, second } = setUp()
  pages.sendToAll('gateway.state', { state: 'restarting', detail: null })
  second.window.emit('closed')
  pages.sendToAll('gateway.state', { state: 'ready', detail: null })
  expect(first.webContents.send).toHaveBeenCalledTimes(2)
  expect(second.webContents.send).toHaveBeenCalledOnce()
})

test('every window is kept inside the gateway, and links from it are asked about over it', () => {
  const { second, onExternal } = setUp()
  const [handler] = second.webContents.setWindowOpenHandler.mock.calls[0] as [
    (details: { url: string }) => unknown,
  ]
  expect(handler({ url: 'https://example.org/' })).toEqual({ action: 'deny' })
  expect(onExternal).toHaveBeenCalledExactlyOnceWith('https://example.org/', second.window)
})

test('the window the person works in is known', () => {
  const { pages, second } = setUp()
  expect(pages.focused()).toBeNull()
  second.state.isFocused = true
  expect(pages.focused()).toBe(second.window)
})

test('a page is as large as another was left', () => {
  const { first, second, shellState } = setUp()
  first.state.zoom = 1.5
  first.window.emit('blur')
  expect(shellState.remember).toHaveBeenCalledExactlyOnceWith({ zoom: 1.5 })
  second.webContents.emit('did-finish-load')
  expect(second.state.zoom).toBe(1.5)
  second.window.emit('close')
  expect(shellState.remember).toHaveBeenCalledOnce()
})

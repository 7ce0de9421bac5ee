import type { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { ShellStateFile, type ShellState, type ShellStateStore } from '../profile/shell-state.ts'
import { focusWindow, openMainWindow, toWindowOptions } from './windows.ts'

const { made } = vi.hoisted(() => ({ made: [] as unknown[] }))

vi.mock('electron', async () => {
  const { EventEmitter } = await import('node:events')
  class FakeWindow extends EventEmitter {
    readonly options: unknown
    isMaximized = vi.fn(() => false)
    isFullScreen = vi.fn(() => false)
    isDestroyed = vi.fn(() => false)
    isMinimized = vi.fn(() => true)
    getNormalBounds = vi.fn(() => ({ x: 5, y: 6, width: 700, height: 600 }))
    show = vi.fn()
    focus = vi.fn()
    restore = vi.fn()
    maximize = vi.fn()
    setFullScreen = vi.fn()
    setProgressBar = vi.fn()
    setTitle = vi.fn()
    constructor(options: unknown) {
      super()
      this.options = options
      made.push(this)
    }
  }
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1280, height: 800 } }
  return {
    BrowserWindow: FakeWindow,
    nativeTheme: { shouldUseDarkColors: true },
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
  }
})

interface FakeWindow extends EventEmitter {
  readonly options: ReturnType<typeof toWindowOptions>
  readonly isDestroyed: ReturnType<typeof vi.fn>
  readonly show: ReturnType<typeof vi.fn>
  readonly focus: ReturnType<typeof vi.fn>
  readonly restore: ReturnType<typeof vi.fn>
  readonly maximize: ReturnType<typeof vi.fn>
  readonly setProgressBar: ReturnType<typeof vi.fn>
}

const usual = new ShellStateFile('/nowhere/shell.json').current

function open(change: Partial<ShellState> = {}, isStarting = () => true) {
  const state = {
    current: { ...usual, ...change },
    update: vi.fn(),
    remember: vi.fn(),
  } satisfies ShellStateStore
  const window = openMainWindow({
    preload: '/app/bridge.cjs',
    icon: '/app/icon.png',
    state,
    allowsDevTools: false,
    isStarting,
  })
  return { state, window: window as unknown as FakeWindow }
}

beforeEach(() => {
  vi.useFakeTimers()
})

test('row 115, row 118: the only kind of window is sandboxed, isolated and without Node anywhere', () => {
  expect(open().window.options.webPreferences).toEqual({
    preload: '/app/bridge.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: true,
    devTools: false,
  })
})

test('the background has the theme’s colour before the page paints, and the window waits for that', () => {
  const { window } = open()
  expect(window.options).toMatchObject({ show: false, backgroundColor: '#1b1c1f' })
  expect(
    toWindowOptions({
      preload: '',
      icon: '',
      bounds: { x: 0, y: 0, width: 1, height: 1 },
      isDark: false,
      allowsDevTools: true,
    }).backgroundColor,
  ).toBe('#ffffff')
  expect(window.show).not.toHaveBeenCalled()
  window.emit('ready-to-show')
  expect(window.show).toHaveBeenCalledOnce()
})

test('a long start shows the empty window with a busy mark', () => {
  const { window } = open()
  vi.advanceTimersByTime(3_000)
  expect(window.setProgressBar).toHaveBeenLastCalledWith(2)
  expect(window.show).toHaveBeenCalledOnce()
  window.emit('ready-to-show')
  expect(window.setProgressBar).toHaveBeenLastCalledWith(-1)
})

test('an empty window is not shown while a question is asked, but soon after it', () => {
  let isStarting = false
  const { window } = open({}, () => isStarting)
  vi.advanceTimersByTime(10_000)
  expect(window.show).not.toHaveBeenCalled()
  isStarting = true
  vi.advanceTimersByTime(3_000)
  expect(window.show).toHaveBeenCalledOnce()
})

test('size, place and mode are saved soon after a change and at closing, and restored', () => {
  const { window, state } = open({
    isMaximized: true,
    bounds: { x: 10, y: 20, width: 900, height: 600 },
  })
  expect(window.options).toMatchObject({ x: 10, y: 20, width: 900, height: 600 })
  window.emit('ready-to-show')
  expect(window.maximize).toHaveBeenCalledOnce()
  for (let step = 0; step < 20; step += 1) window.emit('resize')
  vi.advanceTimersByTime(400)
  expect(state.remember).toHaveBeenCalledExactlyOnceWith({
    isMaximized: false,
    isFullScreen: false,
    bounds: { x: 5, y: 6, width: 700, height: 600 },
  })
  window.emit('close')
  expect(state.remember).toHaveBeenCalledTimes(2)
})

test('a second start brings a minimised or hidden window to the front', () => {
  const { window } = open()
  focusWindow(window as unknown as Parameters<typeof focusWindow>[0])
  expect(window.restore).toHaveBeenCalledOnce()
  expect(window.focus).toHaveBeenCalledOnce()
})

test('a window that is gone while the app quits is left alone', () => {
  const { window } = open()
  window.isDestroyed.mockReturnValue(true)
  focusWindow(window as unknown as Parameters<typeof focusWindow>[0])
  expect(window.show).not.toHaveBeenCalled()
})

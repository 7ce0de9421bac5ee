import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import { createLogger } from '../profile/log.ts'
import { QUICK_HEIGHT, QuickAsk } from './quick-ask.ts'
import type { ShellState } from '../profile/shell-state.ts'

const ORIGIN = 'http://127.0.0.1:8642'

function setUp() {
  let isVisible = false
  let origin: string | null = ORIGIN
  const window = Object.assign(new EventEmitter(), {
    webContents: new EventEmitter(),
    isDestroyed: () => false,
    isVisible: () => isVisible,
    isFocused: () => isVisible,
    loadURL: vi.fn(async () => undefined),
    setAlwaysOnTop: vi.fn(),
    getContentBounds: () => ({ x: 0, y: 0, width: 640, height: 216 }),
    getBounds: () => ({ x: 7, y: 8, width: 640, height: 216 }),
    setContentSize: vi.fn(),
    show: vi.fn(() => (isVisible = true)),
    hide: vi.fn(() => (isVisible = false)),
    focus: vi.fn(),
    destroy: vi.fn(),
  })
  const makeWindow = vi.fn(() => window as unknown as BrowserWindow)
  const openPlace = vi.fn()
  const remember = vi.fn()
  const tellShown = vi.fn()
  let time = 0
  const current = { quickAskStaysOnTop: true, quickAskPlace: { x: 1, y: 2 } } as ShellState
  const quickAsk = new QuickAsk({
    state: { current, update: vi.fn(), remember },
    makeWindow,
    pageOrigin: () => origin,
    openPlace,
    tellShown,
    now: () => time,
    log: createLogger('silent', () => undefined),
  })
  return {
    quickAsk,
    window,
    makeWindow,
    openPlace,
    remember,
    setOrigin: (next: string | null) => (origin = next),
    tellShown,
    wait: (minutes: number) => (time += minutes * 60_000),
  }
}

test('the window is made once, hidden, where it was left, and its page is loaded before it is wanted', () => {
  const { quickAsk, window, makeWindow } = setUp()
  quickAsk.prepare()
  quickAsk.prepare()
  expect(makeWindow).toHaveBeenCalledExactlyOnceWith({ x: 1, y: 2 })
  expect(window.loadURL).toHaveBeenCalledExactlyOnceWith(`${ORIGIN}/quick`)
  expect(window.setAlwaysOnTop).toHaveBeenCalledExactlyOnceWith(true)
  expect(window.show).not.toHaveBeenCalled()
})

test('the keys show the window, and hide it when it is in front', () => {
  const { quickAsk, window } = setUp()
  quickAsk.toggle()
  expect(window.show).toHaveBeenCalledOnce()
  expect(window.focus).toHaveBeenCalledOnce()
  quickAsk.toggle()
  expect(window.hide).toHaveBeenCalledOnce()
})

test('closing hides it, so that the next time is as quick; quitting ends it', () => {
  const { quickAsk, window } = setUp()
  quickAsk.prepare()
  const event = { preventDefault: vi.fn() }
  window.emit('close', event)
  expect(event.preventDefault).toHaveBeenCalledOnce()
  expect(window.hide).toHaveBeenCalledOnce()
  quickAsk.end()
  expect(window.destroy).toHaveBeenCalledOnce()
  window.emit('close', event)
  expect(event.preventDefault).toHaveBeenCalledOnce()
})

test('going on in the app hides the window and opens the chat in the main one', () => {
  const { quickAsk, window, openPlace } = setUp()
  quickAsk.show()
  quickAsk.act({ act: 'continue', path: '/c/1' })
  expect(window.hide).toHaveBeenCalledOnce()
  expect(openPlace).toHaveBeenCalledExactlyOnceWith('/c/1')
})

test('the window grows for an answer and keeps the width it was given', () => {
  const { quickAsk, window } = setUp()
  quickAsk.show()
  quickAsk.act({ act: 'resize', isTall: true })
  expect(window.setContentSize).toHaveBeenLastCalledWith(640, QUICK_HEIGHT.tall)
  quickAsk.act({ act: 'resize', isTall: false })
  expect(window.setContentSize).toHaveBeenLastCalledWith(640, QUICK_HEIGHT.low)
})

test('where it is moved to is kept', () => {
  const { quickAsk, window, remember } = setUp()
  quickAsk.prepare()
  window.emit('moved')
  expect(remember).toHaveBeenCalledExactlyOnceWith({ quickAskPlace: { x: 7, y: 8 } })
})

test('a gateway that comes back elsewhere is loaded anew, one at the same address is left alone', () => {
  const { quickAsk, window, setOrigin } = setUp()
  quickAsk.prepare()
  quickAsk.reconnect()
  expect(window.loadURL).toHaveBeenCalledOnce()
  setOrigin('http://127.0.0.1:8643')
  quickAsk.reconnect()
  expect(window.loadURL).toHaveBeenLastCalledWith('http://127.0.0.1:8643/quick')
})

test('a page that was lost is loaded again after a moment', () => {
  vi.useFakeTimers()
  const { quickAsk, window } = setUp()
  quickAsk.prepare()
  window.webContents.emit('did-fail-load', {}, -20, 'ERR_BLOCKED_BY_CLIENT', ORIGIN, true)
  vi.advanceTimersByTime(1_000)
  expect(window.loadURL).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

test('the page is told that it came up, and whether the last question is long ago', () => {
  const { quickAsk, tellShown, wait, window } = setUp()
  quickAsk.show()
  quickAsk.hide()
  wait(9)
  quickAsk.show()
  quickAsk.hide()
  wait(11)
  quickAsk.show()
  expect(tellShown.mock.calls).toEqual([
    [window, false],
    [window, false],
    [window, true],
  ])
})

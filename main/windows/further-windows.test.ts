import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import { FurtherWindows } from './further-windows.ts'
import { createLogger } from '../profile/log.ts'

const PLACE = { x: 1, y: 2, width: 900, height: 700 }

function createWindow() {
  return Object.assign(new EventEmitter(), {
    webContents: new EventEmitter(),
    isDestroyed: () => false,
    getNormalBounds: () => PLACE,
    loadURL: vi.fn(async () => undefined),
  })
}

function setUp() {
  let origin = 'http://127.0.0.1:8642'
  const made: ReturnType<typeof createWindow>[] = []
  const makeWindow = vi.fn(() => {
    made.push(createWindow())
    return made.at(-1) as unknown as BrowserWindow
  })
  const further = new FurtherWindows({
    main: createWindow() as unknown as BrowserWindow,
    makeWindow,
    focused: () => null,
    pageOrigin: () => origin,
    log: createLogger('silent', () => undefined),
  })
  return { further, made, makeWindow, move: () => (origin = 'http://127.0.0.1:8643') }
}

test('another window opens beside the one in use and shows the interface', () => {
  const { further, made, makeWindow } = setUp()
  further.open()
  expect(makeWindow).toHaveBeenCalledExactlyOnceWith(PLACE)
  expect(made[0]!.loadURL).toHaveBeenCalledExactlyOnceWith('http://127.0.0.1:8642/')
  expect(further.areOpen()).toBe(true)
})

test('the end of the last one is told, once', () => {
  const { further, made } = setUp()
  const onLast = vi.fn()
  further.onLastClosed(onLast)
  further.open()
  further.open()
  made[0]!.emit('closed')
  expect(onLast).not.toHaveBeenCalled()
  made[1]!.emit('closed')
  expect(onLast).toHaveBeenCalledOnce()
  expect(further.areOpen()).toBe(false)
})

test('all are loaded again when the gateway comes back at another address', () => {
  const { further, made, move } = setUp()
  further.open()
  further.reconnect()
  expect(made[0]!.loadURL).toHaveBeenCalledOnce()
  move()
  further.reconnect()
  expect(made[0]!.loadURL).toHaveBeenLastCalledWith('http://127.0.0.1:8643/')
})

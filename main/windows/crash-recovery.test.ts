import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { beforeEach, expect, test, vi } from 'vitest'
import { createCrashCounter, reloadAfterCrash, watchGraphics } from './crash-recovery.ts'
import { createLogger } from '../profile/log.ts'

const { app } = vi.hoisted(() => ({
  app: { listener: (_event: object, _details: object): void => undefined },
}))
vi.mock('electron', () => ({
  app: { on: (_name: string, listener: typeof app.listener) => (app.listener = listener) },
}))

const log = createLogger('silent', () => undefined)

function crashingWindow() {
  const webContents = Object.assign(new EventEmitter(), { reload: vi.fn() })
  reloadAfterCrash({ webContents, isDestroyed: () => false } as unknown as BrowserWindow, log)
  return {
    reload: webContents.reload,
    end: (reason: string) => webContents.emit('render-process-gone', {}, { reason, exitCode: 1 }),
  }
}

function graphicsState(usesGraphicsCard = true) {
  const restart = vi.fn()
  const current = { usesGraphicsCard }
  watchGraphics(
    { current, update: (change: object) => Object.assign(current, change) } as never,
    restart,
    log,
  )
  return {
    restart,
    current,
    crash: (type = 'GPU', reason = 'crashed') => app.listener({}, { type, reason, exitCode: 1 }),
  }
}

beforeEach(() => {
  vi.restoreAllMocks()
})

test('R35: a page whose process died is loaded again, a page that ended by itself is not', () => {
  const window = crashingWindow()
  window.end('crashed')
  window.end('clean-exit')
  window.end('oom')
  expect(window.reload).toHaveBeenCalledTimes(2)
})

test('a page that crashes over and over is not loaded for ever', () => {
  const window = crashingWindow()
  for (let crash = 0; crash < 20; crash += 1) window.end('crashed')
  expect(window.reload).toHaveBeenCalledTimes(4)
})

test('R35: after three crashes of the graphics process the app starts once without the graphics card', () => {
  const { restart, current, crash } = graphicsState()
  crash()
  crash('Utility')
  crash()
  expect(restart).not.toHaveBeenCalled()
  crash()
  crash()
  expect(current.usesGraphicsCard).toBe(false)
  expect(restart).toHaveBeenCalledOnce()
})

test('an app that already runs without the graphics card does not restart for it again', () => {
  const { restart, crash } = graphicsState(false)
  for (let count = 0; count < 10; count += 1) crash()
  expect(restart).not.toHaveBeenCalled()
})

test('crashes more than a minute apart make no loop', () => {
  let time = 0
  const isLoop = createCrashCounter(2, () => (time += 60_000))
  expect([isLoop(), isLoop(), isLoop()]).toEqual([false, false, false])
})

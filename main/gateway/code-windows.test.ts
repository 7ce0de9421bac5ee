import { EventEmitter } from 'node:events'
import type { UtilityProcess } from 'electron'
import { beforeEach, expect, test, vi } from 'vitest'
import { serveCodeWindows } from './code-windows.ts'

const electron = vi.hoisted(() => ({
  switches: new Set<string>(),
  metrics: [] as { pid: number; memory: { workingSetSize: number } }[],
  views: [] as {
    options: { webPreferences: Record<string, unknown> }
    webContents: FakeContents
  }[],
  partitions: [] as string[],
}))

interface FakeContents extends EventEmitter {
  address: string
  readonly loaded: PromiseWithResolvers<void>
  isDestroyed(): boolean
  readonly postMessage: ReturnType<typeof vi.fn>
}

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class Contents extends Emitter {
    address = ''
    isGone = false
    readonly loaded = Promise.withResolvers<void>()
    readonly postMessage = vi.fn()
    readonly setWindowOpenHandler = vi.fn()
    loadURL(address: string): Promise<void> {
      this.address = address
      return this.loaded.promise
    }
    getOSProcessId = (): number => 2 ** 30
    isDestroyed = (): boolean => this.isGone
    forcefullyCrashRenderer = (): void => void this.emit('render-process-gone')
    close(): void {
      if (this.isGone) return
      this.isGone = true
      this.emit('destroyed')
    }
  }
  return {
    app: {
      commandLine: { hasSwitch: (name: string) => electron.switches.has(name) },
      getAppMetrics: () => electron.metrics,
    },
    session: {
      fromPartition: (name: string) => {
        electron.partitions.push(name)
        return {
          setPermissionRequestHandler: vi.fn(),
          setPermissionCheckHandler: vi.fn(),
          setDevicePermissionHandler: vi.fn(),
          webRequest: { onBeforeRequest: vi.fn() },
        }
      },
    },
    MessageChannelMain: class {
      readonly port1 = 'of the window'
      readonly port2 = 'of the gateway'
    },
    WebContentsView: class {
      readonly options: { webPreferences: Record<string, unknown> }
      readonly webContents = new Contents()
      constructor(options: { webPreferences: Record<string, unknown> }) {
        this.options = options
        electron.views.push(this)
      }
    },
  }
})

function openGateway() {
  const told: unknown[] = []
  const gateway = Object.assign(new EventEmitter(), {
    pid: 1,
    postMessage: (message: unknown, ports: unknown[] = []) => void told.push([message, ...ports]),
  })
  serveCodeWindows(gateway as unknown as UtilityProcess, '/app/code-line.cjs')
  const ask = (message: object): void => void gateway.emit('message', message)
  return { gateway, told, ask }
}
const ready = { type: 'ready', url: 'http://127.0.0.1:8642' }
const start = (id: string) => ({ type: 'code-window-start', id, memory: 1024 * 1024 })

beforeEach(() => {
  vi.useRealTimers()
  electron.switches.clear()
  electron.metrics = []
  electron.views = []
  electron.partitions = []
})

test('each gets the one document, a session of its own and a line that leads to the gateway', async () => {
  const { told, ask } = openGateway()
  ask(ready)
  ask(start('a'))
  ask(start('b'))
  expect(electron.partitions).toEqual(['code-0', 'code-1'])
  const { options, webContents } = electron.views[0]!
  expect(options.webPreferences).toMatchObject({
    preload: '/app/code-line.cjs',
    sandbox: true,
    devTools: false,
  })
  expect(webContents.address).toBe('http://127.0.0.1:8642/frames/python.html')
  webContents.loaded.resolve()
  await vi.waitFor(() =>
    expect(told).toEqual([[{ type: 'code-window-line', id: 'a' }, 'of the gateway']]),
  )
  expect(webContents.postMessage).toHaveBeenCalledExactlyOnceWith('code-line', null, [
    'of the window',
  ])
  ask({ type: 'code-window-stop', id: 'a' })
  expect(told.at(-1)).toEqual([{ type: 'code-window-ended', id: 'a', end: 'gone' }])
  // Its session is available to the next one.
  ask(start('c'))
  expect(electron.partitions.at(-1)).toBe('code-0')
})

test('none is made before the gateway listens, nor without the sandbox', () => {
  const { told, ask } = openGateway()
  ask(start('a'))
  ask(ready)
  electron.switches.add('no-sandbox')
  ask(start('b'))
  expect(electron.views).toEqual([])
  expect(told).toEqual([
    [{ type: 'code-window-ended', id: 'a', end: 'refused' }],
    [{ type: 'code-window-ended', id: 'b', end: 'refused' }],
  ])
})

test('one whose document does not load, crashes or takes too much memory ends with the reason', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { told, ask } = openGateway()
  ask(ready)
  for (const id of ['a', 'b', 'c']) ask(start(id))
  electron.views[0]!.webContents.loaded.reject(new Error('net::ERR_FAILED'))
  await vi.waitFor(() => expect(told).toHaveLength(1))
  electron.views[1]!.webContents.emit('render-process-gone')
  electron.metrics = [{ pid: 2 ** 30, memory: { workingSetSize: 1024 } }]
  vi.advanceTimersByTime(250)
  expect(told).toHaveLength(2)
  electron.metrics = [{ pid: 2 ** 30, memory: { workingSetSize: 1025 } }]
  vi.advanceTimersByTime(250)
  expect(told).toEqual([
    [{ type: 'code-window-ended', id: 'a', end: 'refused' }],
    [{ type: 'code-window-ended', id: 'b', end: 'gone' }],
    [{ type: 'code-window-ended', id: 'c', end: 'memory' }],
  ])
  expect(vi.getTimerCount()).toBe(0)
})

test('all end with their gateway, which is told nothing any more', () => {
  const { gateway, told, ask } = openGateway()
  ask(ready)
  ask(start('a'))
  ask(start('b'))
  Object.assign(gateway, { pid: undefined })
  gateway.emit('exit', 0)
  expect(electron.views.map(({ webContents }) => webContents.isDestroyed())).toEqual([true, true])
  expect(told).toEqual([])
})

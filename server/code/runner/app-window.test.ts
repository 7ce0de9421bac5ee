import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { CellValue, FrameRequest, WorkerReport } from '#contract/python-frame.ts'
import type { AppPort, LinePort } from '../../lib/app-port.ts'
import { startAppWindow } from './app-window.ts'
import { Runner, UNREADABLE, type Cell } from './runner.ts'

const MEMORY = 64 * 1024 * 1024
const RUNTIME = ['pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'app-window-'))
  for (const name of [...RUNTIME, 'numpy.whl']) writeFileSync(path.join(folder, name), name)
})
afterAll(() => rmSync(folder, { recursive: true }))

const value: CellValue = {
  stdout: '',
  stderr: '',
  result: null,
  html: null,
  pictures: [],
  error: null,
  files: [],
  tooLarge: [],
}

/** The app and the document in its window, as the gateway sees them. */
function openApp() {
  const app = new EventEmitter()
  const line = new EventEmitter()
  const told: { type: string; id: string; memory?: number }[] = []
  const requests: FrameRequest[] = []
  let isClosed = false
  const port = Object.assign(line, {
    postMessage: (request: FrameRequest) => void requests.push(request),
    start: () => undefined,
    close: () => void (isClosed = true),
  }) as unknown as LinePort
  const appPort = Object.assign(app, {
    postMessage: (message: (typeof told)[number]) => void told.push(message),
  }) as unknown as AppPort
  const packages = {
    installed: () => ['numpy'],
    find: (file: string) => (file === 'numpy.whl' ? path.join(folder, file) : null),
  }
  const runner = new Runner(
    startAppWindow(appPort, { runtimeFolder: folder, packages }, MEMORY),
    MEMORY,
  )
  const { id } = told[0]!
  const say = (data: unknown): void => void line.emit('message', { data })
  const report = (each: WorkerReport): void => say({ type: 'from', session: 'cells', report: each })
  const end = (how: string): void =>
    void app.emit('message', { data: { type: 'code-window-ended', id, end: how }, ports: [] })
  return {
    app,
    runner,
    told,
    requests,
    say,
    report,
    end,
    isClosed: () => isClosed,
    connect: () =>
      void app.emit('message', { data: { type: 'code-window-line', id }, ports: [port] }),
    async load() {
      this.connect()
      say({ type: 'ready' })
      await vi.waitFor(() => expect(requests).toHaveLength(1))
      say({ type: 'compiled' })
      report({ type: 'done', value })
      await runner.ready
    },
  }
}

const cell = (more: Partial<Cell> = {}): Cell => ({
  id: 'one',
  code: '6 * 7',
  outputLimit: 1000,
  fileLimit: 1_000_000,
  files: [],
  timeoutMs: 20_000,
  ...more,
})
const never = new AbortController().signal
const lastRequest = (requests: readonly FrameRequest[]) =>
  (requests.at(-1) as Extract<FrameRequest, { type: 'to' }>).request

it('loads the runtime ahead, then runs cells with their files and limits', async () => {
  const window = openApp()
  expect(window.told).toEqual([
    { type: 'code-window-start', id: expect.any(String), memory: MEMORY + 640 * 1024 * 1024 },
  ])
  await window.load()
  expect(window.requests[0]).toMatchObject({ parts: { script: 'pyodide.asm.mjs' } })
  expect(lastRequest(window.requests)).toMatchObject({ type: 'run', code: '', files: [] })
  const ended = window.runner.run(
    cell({ files: [{ name: 'a.txt', bytes: Buffer.from('A') }] }),
    never,
  )
  await vi.waitFor(() => expect(window.requests).toHaveLength(3))
  expect(lastRequest(window.requests)).toEqual({
    type: 'run',
    code: '6 * 7',
    files: [{ name: 'a.txt', bytes: new Uint8Array([65]) }],
    limits: { output: 1000, file: 1_000_000, memory: MEMORY },
    installed: ['numpy'],
  })
  const bytes = new Uint8Array(900_000).fill(7)
  window.report({ type: 'phase', phase: 'running' })
  window.report({ type: 'output', pieces: [{ stream: 'stdout', text: 'x' }] })
  const files = [{ name: 'out.bin', bytes }]
  window.report({ type: 'done', value: { ...value, result: '42', files, tooLarge: ['big'] } })
  const outcome = await ended
  expect(outcome).toMatchObject({
    kind: 'result',
    result: {
      status: 'ok',
      result: '42',
      files: [
        { name: 'out.bin', size: 900_000, isTaken: true },
        { name: 'big', isTaken: false },
      ],
    },
  })
  expect(outcome.kind === 'result' && outcome.files.get('out.bin')?.equals(bytes)).toBe(true)
})

it('hands in packages that were fetched, and no other file', async () => {
  const window = openApp()
  await window.load()
  void window.runner.run(cell(), never)
  await vi.waitFor(() => expect(window.requests).toHaveLength(3))
  window.report({ type: 'need', name: 'numpy.whl' })
  await vi.waitFor(() => expect(window.requests).toHaveLength(4))
  const given = lastRequest(window.requests) as { bytes: ArrayBuffer }
  expect(Buffer.from(given.bytes).toString()).toBe('numpy.whl')
  window.report({ type: 'need', name: '../pyodide-lock.json' })
  await vi.waitFor(() => expect(window.requests).toHaveLength(5))
  expect(lastRequest(window.requests)).toMatchObject({ type: 'package', bytes: null })
})

it.each([
  ['nonsense', { type: 'nonsense' }, { kind: 'failed', reason: UNREADABLE }],
  [
    'the memory of Python used up',
    { type: 'from', session: 'cells', report: { type: 'ended', reason: 'memory', message: '' } },
    { kind: 'memory' },
  ],
  [
    'a broken document',
    { type: 'broken', message: 'no wasm' },
    { kind: 'failed', reason: 'no wasm' },
  ],
])('%s ends the window, and the cell hears why', async (_, said, wanted) => {
  const window = openApp()
  await window.load()
  const ended = window.runner.run(cell(), never)
  await vi.waitFor(() => expect(window.requests).toHaveLength(3))
  window.say(said)
  await vi.waitFor(() => expect(window.told.at(-1)).toMatchObject({ type: 'code-window-stop' }))
  window.end('gone')
  expect(await ended).toEqual(wanted)
  await window.runner.gone
  expect(window.isClosed()).toBe(true)
  expect(window.app.listenerCount('message')).toBe(0)
})

it.each([
  ['memory', { kind: 'memory' }],
  ['gone', { kind: 'failed', reason: 'The process of the code is gone: its window was closed' }],
])('a window the app ends by itself (%s) ends its cell', async (how, wanted) => {
  const window = openApp()
  await window.load()
  const ended = window.runner.run(cell(), never)
  await vi.waitFor(() => expect(window.requests).toHaveLength(3))
  window.end(how)
  expect(await ended).toEqual(wanted)
})

it('where the app makes no window, a sentence says so', async () => {
  const window = openApp()
  const ended = window.runner.run(cell(), never)
  window.end('refused')
  expect(await ended).toEqual({
    kind: 'failed',
    reason: 'The process of the code is gone: the app made no window for it',
  })
})

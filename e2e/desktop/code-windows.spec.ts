import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { drawNoisyPng } from '../../server/testing/draw-png.ts'
import { buildPrograms } from './build-programs.ts'
import type { CodeOrder, CodeReply } from './code-app/orders.ts'
import { expect, test as base } from './desktop-app.ts'

const root = path.resolve(import.meta.dirname, '../..')
const executable = process.env['ELECTRON_BINARY']
const PATIENT = 150_000
const PNG = drawNoisyPng(2000)

const PROGRAMS = {
  main: 'e2e/desktop/code-app/main.ts',
  gateway: 'e2e/desktop/code-app/gateway.ts',
}

interface CodeApp {
  readonly electron: ElectronApplication
  readonly url: string
  run(code: string, more?: Partial<CodeOrder>): Promise<CodeReply>
  /** Returns the processes that run code. */
  processes(): Promise<number[]>
}

const test = base.extend<{ code: CodeApp }, { programs: string }>({
  programs: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'code-app-'))
      await buildPrograms(folder, PROGRAMS)
      // The files of the runtime are located next to the program of the gateway.
      symlinkSync(path.join(root, 'out/server/pyodide'), path.join(folder, 'pyodide'))
      mkdirSync(path.join(folder, 'packages'))
      await use(folder)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
    { scope: 'worker' },
  ],
  code: async ({ programs: folder }, use) => {
    const electron = await _electron.launch({
      ...(executable && { executablePath: executable }),
      args: [
        path.join(folder, 'main.js'),
        path.join(folder, 'gateway.js'),
        path.join(root, 'out/preload/code-line.cjs'),
        path.join(root, 'out/renderer'),
        path.join(folder, 'packages'),
      ],
      chromiumSandbox: true,
    })
    // A message to an app that is still loading may get lost.
    await expect(async () => {
      expect(await electron.evaluate(() => typeof globalThis.codeApp)).toBe('object')
    }).toPass()
    const url = await electron.evaluate(() => globalThis.codeApp.start())
    await use({
      electron,
      url,
      run: (code, more = {}) =>
        electron.evaluate((_, order) => globalThis.codeApp.run(order), {
          id: randomUUID(),
          userId: 'ada',
          chatId: 'sums',
          code,
          files: {},
          seconds: 60,
          ...more,
        }),
      processes: () =>
        electron.evaluate(({ app, webContents }) => {
          const code = webContents
            .getAllWebContents()
            .filter((each) => each.getURL().endsWith('/frames/python.html'))
            .map((each) => each.getOSProcessId())
          return app.getAppMetrics().flatMap(({ pid }) => (code.includes(pid) ? [pid] : []))
        }),
    })
    await electron.close()
  },
})

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

test('code runs while nobody has a window open: values, errors, files, variables of a chat', async ({
  code,
}) => {
  test.setTimeout(PATIENT)
  expect(await code.run('x = 40\nprint("here")\nx + 2')).toMatchObject({
    kind: 'result',
    result: { status: 'ok', stdout: 'here\n', result: '42' },
  })
  expect(await code.run('x + 1')).toMatchObject({ result: { result: '41' } })
  expect(await code.run('def f():\n    raise ValueError("no")\n\nf()')).toMatchObject({
    result: { status: 'error', error: { name: 'ValueError', message: 'no' } },
  })
  const files = { 'in.csv': 'a,b' }
  expect(
    await code.run('open("out.txt", "w").write(open("in.csv").read().upper())', { files }),
  ).toMatchObject({ files: { 'out.txt': 'A,B' } })
  expect(await code.run('import numpy')).toMatchObject({
    result: { error: { message: expect.stringContaining('can have it fetched') as unknown } },
  })
  const drawn = await code.run(
    `class Picture:\n    def _repr_png_(self):\n        return bytes.fromhex('${PNG.toString('hex')}')\nPicture()`,
  )
  expect(drawn.result!.pictures).toEqual([`data:image/png;base64,${PNG.toString('base64')}`])
  // Another user and another chat each have a separate process.
  for (const other of [{ userId: 'bob' }, { chatId: 'letters' }])
    expect(await code.run('x', other)).toMatchObject({ result: { error: { name: 'NameError' } } })
  expect(new Set(await code.processes()).size).toBe(3)
})

/** Escapes from Python into JavaScript, as hostile code does; prints the result of each attempt. */
const escape = (attempts: readonly string[]): string => `import json
from pyodide.ffi import to_js
out = to_js({"a": 1}).constructor.constructor
told = []
for words in json.loads(${JSON.stringify(JSON.stringify(attempts))}):
    try:
        told.append(str(await out("return (async () => {" + words + "})()")()))
    except Exception as refused:
        told.append("refused: " + str(refused))
print(json.dumps(told))`

const ask = async (url: string): Promise<string> => (await fetch(url)).text()

test('hostile code reaches no network, no storage, nothing of the app and nobody else', async ({
  code,
}) => {
  test.setTimeout(PATIENT)
  expect(await code.run('import js')).toMatchObject({
    result: { error: { message: "The module 'js' is not available to code." } },
  })
  await code.run('secret = "of bob"', { userId: 'bob' })
  const told = await code.run(
    escape([
      `return (await fetch('${code.url}/stolen')).status`,
      `delete self.fetch; return (await fetch('${code.url}/stolen')).status`,
      `return Object.keys(await import('${code.url}/stolen.js'))`,
      `return new XMLHttpRequest()`,
      `return new WebSocket('${code.url.replace('http', 'ws')}/ws')`,
      `return new WebTransport('https://127.0.0.1/')`,
      `return new Worker(URL.createObjectURL(new Blob(['1'])))`,
      `return indexedDB.open('x')`,
      `return caches.open('x')`,
      `return navigator.storage.getDirectory()`,
      `return process.versions.node`,
      `return require('node:fs')`,
      `return window.desktop`,
      `self.postMessage({ type: 'done' })`,
      `return new BroadcastChannel('x')`,
    ]),
  )
  const answers = JSON.parse(told.result!.stdout) as string[]
  expect(answers).toHaveLength(15)
  // The document's policy already prevents evaluating text as JavaScript.
  for (const answer of answers) expect(answer).toMatch(/^refused: EvalError/)
  expect(await code.run('open("/etc/passwd").read()')).toMatchObject({
    result: { error: { name: 'FileNotFoundError' } },
  })
  const asked = JSON.parse(await ask(`${code.url}/asked`)) as string[]
  // No request carries a cookie, and no other URL was requested.
  expect(new Set(asked)).toEqual(new Set(['/frames/python.html', '/frames/python.js', '/asked']))
  const spoilt = await code.run(
    escape([
      'Object.prototype.type = "ended"; Array.prototype.push = () => 0; JSON.stringify = () => "{}"',
      'Object.defineProperty(Object.prototype, "session", { get: () => "other", set() {} })',
    ]),
  )
  expect(['result', 'failed', 'memory']).toContain(spoilt.kind)
  expect(await code.run('secret', { userId: 'bob' })).toMatchObject({
    result: { result: "'of bob'" },
  })
  expect(await code.run('secret', { userId: 'cy' })).toMatchObject({
    result: { error: { name: 'NameError' } },
  })
})

test('code is ended at its limits, others go on, and no process is left behind', async ({
  code,
}) => {
  test.setTimeout(PATIENT * 2)
  const printed = await code.run('for _ in range(20_000): print("y" * 99)')
  expect(printed.result!.stdout.length).toBe(64 * 1024)
  expect(printed.result!.stderr).toContain('the rest is left out')
  expect(await code.run('text = "x" * (1 << 30)')).toMatchObject({
    result: { error: { name: 'MemoryError' } },
  })
  const [first] = await code.processes()
  const times: number[] = []
  const isOver = code.run('while True: pass', { seconds: 3 })
  for (let index = 0; index < 50; index += 1) {
    const begun = performance.now()
    expect(await ask(`${code.url}/health`)).toBe('ok')
    times.push(performance.now() - begun)
  }
  test.info().annotations.push({
    type: 'health beside an endless loop, slowest of 50, in milliseconds',
    description: String(Math.round(Math.max(...times))),
  })
  expect(await isOver).toMatchObject({ kind: 'timeout' })
  await expect.poll(() => isAlive(first!)).toBe(false)
  await expect.poll(() => code.processes()).toEqual([])
  expect(await code.run('6 * 7')).toMatchObject({ result: { result: '42' } })
})

test('a cell that does not react is stopped within a second, and a chat that is closed keeps nothing', async ({
  code,
}) => {
  test.setTimeout(PATIENT)
  await code.run('1')
  const [pid] = await code.processes()
  const id = randomUUID()
  const running = code.run('while True: pass', { id })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const begun = performance.now()
  await code.electron.evaluate((_, order) => globalThis.codeApp.tell(order), { type: 'stop', id })
  expect(await running).toMatchObject({ kind: 'stopped' })
  expect(performance.now() - begun).toBeLessThan(1000)
  await expect.poll(() => isAlive(pid!)).toBe(false)
  await code.run('x = 1')
  await code.electron.evaluate((_, order) => globalThis.codeApp.tell(order), {
    type: 'forget',
    id,
    userId: 'ada',
    chatId: 'sums',
  })
  await expect.poll(() => code.processes()).toEqual([])
})

test('what runs code is no window, ends with its gateway, and does not keep the app', async ({
  code,
}) => {
  test.setTimeout(PATIENT)
  await code.run('x = 1')
  const [pid] = await code.processes()
  expect(
    await code.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length),
  ).toBe(1)
  await code.electron.evaluate(() => globalThis.codeApp.endGateway())
  await expect.poll(() => isAlive(pid!)).toBe(false)
  await code.electron.evaluate(() => globalThis.codeApp.start())
  expect(await code.run('x')).toMatchObject({ result: { error: { name: 'NameError' } } })
  const [next] = await code.processes()
  const isClosed = code.electron.waitForEvent('close')
  await code.electron.evaluate(({ BrowserWindow }) => {
    setTimeout(() => BrowserWindow.getAllWindows()[0]!.close(), 0)
  })
  await isClosed
  await expect.poll(() => isAlive(next!)).toBe(false)
})

// Times and memory on the desktop: the first paint, the small window, the window from the tray, and
// the memory of the whole app when idle.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { judgeAtMost, median, type BenchResult, type BenchRow } from './bench-result.ts'
import { readMemory, type ProcessMemory } from './support/app-memory.ts'

const ROUNDS = 5
const SHOWINGS = 10
/** Time in ms until the page, the gateway and their garbage collectors have settled. */
const REST_MILLISECONDS = 60_000
const root = path.resolve(import.meta.dirname, '..')
const executable = process.env['ELECTRON_BINARY']

const environment = {
  ...(process.env as Record<string, string>),
  PORT: '0',
  LLMHOST_BASE_URLS: '',
  LOCAL_RUNTIME_PORTS: '',
  // A packed app sets it; an Electron that is given a folder is ready before the app is loaded.
  GDK_GL: 'disable',
}
const wordsOf = (profile: string): string[] => [
  root,
  '--',
  `--profile=${profile}`,
  '--secrets=file',
]

interface Opened {
  readonly app: ElectronApplication
  readonly page: Page
  /** Milliseconds from the start of the app to the first paint of the page. */
  readonly painted: number
}

async function open(profile: string): Promise<Opened> {
  const begun = Date.now()
  const app = await _electron.launch({
    ...(executable && { executablePath: executable }),
    args: wordsOf(profile),
    env: environment,
    chromiumSandbox: true,
  })
  const page = await app.firstWindow()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//)
  const guide = page.getByRole('button', { name: 'Skip guide' })
  await page.getByRole('textbox', { name: 'Message' }).or(guide).waitFor()
  const painted = await page.waitForFunction(() => {
    const [entry] = performance.getEntriesByName('first-contentful-paint')
    return entry && performance.timeOrigin + entry.startTime
  })
  return { app, page, painted: (await painted.jsonValue())! - begun }
}

/** For the first start; the measurement is of a later one. */
async function skipGuide({ app, page }: Opened): Promise<void> {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/user/settings/update') && response.ok(),
  )
  await page.getByRole('button', { name: 'Skip guide' }).click()
  await saved
  await app.close()
}

/** Returns the milliseconds until the small window is shown and has drawn a frame. */
const timeQuickAsk = (app: ElectronApplication): Promise<number> =>
  app.evaluate(async ({ BrowserWindow, Menu }) => {
    const find = () =>
      BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().endsWith('/quick'),
      )
    const begun = performance.now()
    Menu.getApplicationMenu()!.getMenuItemById('quickAsk')!.click()
    const frame = 'new Promise((drawn) => requestAnimationFrame(() => drawn(document.hasFocus())))'
    while (!find()?.isVisible()) await new Promise((resolve) => setTimeout(resolve, 1))
    await find()!.webContents.executeJavaScript(frame)
    const took = performance.now() - begun
    find()!.hide()
    await new Promise((resolve) => setTimeout(resolve, 200))
    return took
  })

/**
 * Returns the milliseconds until the hidden main window is in front, by the same call as from the
 * tray.
 */
const timeTray = (app: ElectronApplication): Promise<number> =>
  app.evaluate(async ({ app: program, BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(
      ({ webContents }) => !webContents.getURL().endsWith('/quick'),
    )!
    window.hide()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const begun = performance.now()
    program.emit('second-instance', {}, [], '')
    while (!window.isVisible()) await new Promise((resolve) => setTimeout(resolve, 1))
    await window.webContents.executeJavaScript(
      'new Promise((drawn) => requestAnimationFrame(() => drawn(true)))',
    )
    return performance.now() - begun
  })

async function repeat(times: number, measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let time = 0; time < times; time += 1) found.push(await measure())
  return found
}

/** Runs without the test tool, which keeps an inspector in the app. */
async function measureMemory(profile: string): Promise<ProcessMemory[]> {
  if (!executable || !existsSync('/proc/self/smaps_rollup')) return []
  const child = spawn(executable, wordsOf(profile), { env: environment, stdio: 'ignore' })
  await sleep(REST_MILLISECONDS)
  const memory = readMemory(child.pid!)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return memory
}

const toMegabytes = (kilobytes: number): number => (kilobytes * 1024) / 1e6

function sumOf(memory: readonly ProcessMemory[], figure: 'proportional' | 'own'): number {
  return toMegabytes(memory.reduce((total, each) => total + each[figure], 0))
}

/**
 * Returns the sum of the private memory plus the shared memory once, independent of what else runs.
 */
const withShared = (memory: readonly ProcessMemory[]): number =>
  sumOf(memory, 'own') + toMegabytes(Math.max(...memory.map(({ shared }) => shared)))

const describe = (memory: readonly ProcessMemory[]): string =>
  memory
    .map(({ kind, proportional }) => `${kind} ${toMegabytes(proportional).toFixed(0)}`)
    .join(', ')

function toRow(name: string, value: number, unit: string, hold?: number): BenchRow {
  if (hold === undefined) return { name, value, unit, reached: 'shown' }
  return { name, value, unit, hold, reached: judgeAtMost(value, { hold, moonshot: 0 }) }
}

export const goals = ['P35']

export async function run(): Promise<BenchResult> {
  if (process.getuid?.() === 0)
    return {
      goal: 'P35',
      rows: [],
      notes: ['Electron does not run as root: start this one as an ordinary user with a display.'],
    }
  const profile = mkdtempSync(path.join(tmpdir(), 'chat-gateway-bench-'))
  const paints: number[] = []
  const quick: number[] = []
  const tray: number[] = []
  let made = 0
  try {
    await skipGuide(await open(profile))
    for (let round = 0; round < ROUNDS; round += 1) {
      const { app, painted } = await open(profile)
      paints.push(painted)
      if (round === ROUNDS - 1) {
        made = await timeQuickAsk(app)
        quick.push(...(await repeat(SHOWINGS, () => timeQuickAsk(app))))
        tray.push(...(await repeat(SHOWINGS, () => timeTray(app))))
      }
      await app.close()
    }
    const memory = await measureMemory(profile)
    return {
      goal: 'P35',
      rows: [
        toRow('first paint after the start of the program', median(paints), 'ms'),
        toRow('small window drawn after its keys', median(quick), 'ms', 100),
        toRow('small window made and drawn, the first time', made, 'ms'),
        toRow('main window drawn from the tray', median(tray), 'ms', 100),
        ...(memory.length === 0
          ? []
          : [
              toRow('memory of the whole app at rest', sumOf(memory, 'proportional'), 'MB', 350),
              toRow('of it what no other process shares', sumOf(memory, 'own'), 'MB'),
              toRow('with the most any process shares', withShared(memory), 'MB', 350),
            ]),
      ],
      notes: [`MB of each process: ${describe(memory)}`],
    }
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

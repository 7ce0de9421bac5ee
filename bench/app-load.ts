// The gateway inside the desktop app, under the load of the headless one.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { _electron, type Page } from '@playwright/test'
import {
  judgeAtLeast,
  judgeAtMost,
  median,
  type BenchResult,
  type BenchRow,
} from './bench-result.ts'
import type { FloodAnswer } from './support/driver.ts'
import { startGateway } from './support/gateway.ts'
import type { Target } from './support/http-client.ts'
import { DRIVER_CORE, PROXY_CORE, residentKilobytes, startScript } from './support/spawned.ts'

export const goals = ['P40']

const ROUNDS = 5
const MILLISECONDS = 1200
/** Time in ms until the checks after a start have run, and until memory is given back. */
const REST_MILLISECONDS = 60_000
const root = path.resolve(import.meta.dirname, '..')
const executable = process.env['ELECTRON_BINARY']

const messages = [{ role: 'user', content: 'Hello' }]
const LOADS = [
  { name: 'answers, 16 clients', clients: 16, body: { model: 'bench-text', messages } },
  { name: 'answers, 64 clients', clients: 64, body: { model: 'bench-text', messages } },
  { name: 'answers, 256 clients', clients: 256, body: { model: 'bench-text', messages } },
  {
    name: 'streams of 64 tokens, 16 clients',
    clients: 16,
    body: { model: 'bench-burst-64', stream: true, messages },
  },
]

/** A gateway under load: headless, or the one of the app. */
interface Loaded {
  readonly pid: number
  readonly port: number
  readonly key: string
  stop(): Promise<void>
}

/** Creates an API key with the rights of the window. */
const createKey = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const headers = {
      'Content-Type': 'application/json',
      'X-Requested-With': 'chat-gateway',
      'X-Session-Key': localStorage.getItem('session-key')!,
    }
    const post = (address: string, body: string) =>
      fetch(address, { method: 'POST', headers, body })
    await post('/api/v1/auths/admin/config', '{"ENABLE_API_KEYS":true}')
    const reply = await post('/api/v1/auths/api_keys', '{"name":"bench"}')
    await fetch('/api/models?refresh=true', { headers })
    return ((await reply.json()) as { api_key: string }).api_key
  })

/** Starts the app in front of a model server, its gateway on the core of the headless one. */
async function startApp(upstreamPort: number, profile: string): Promise<Loaded> {
  const app = await _electron.launch({
    ...(executable && { executablePath: executable }),
    args: [root, '--', `--profile=${profile}`, '--secrets=file'],
    env: {
      ...(process.env as Record<string, string>),
      PORT: '0',
      LLMHOST_BASE_URLS: '',
      LOCAL_RUNTIME_PORTS: '',
      LOG_LEVEL: 'warn',
      OPENAI_API_BASE_URLS: `http://127.0.0.1:${upstreamPort}/v1`,
      OPENAI_API_KEYS: 'bench-key',
    },
    chromiumSandbox: true,
  })
  const page = await app.firstWindow()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//)
  await page.getByRole('button', { name: 'Skip guide' }).waitFor()
  const { url, pid } = JSON.parse(
    readFileSync(path.join(profile, 'data/gateway.json'), 'utf8'),
  ) as { url: string; pid: number }
  const key = await createKey(page)
  spawnSync('taskset', ['-acp', String(PROXY_CORE), String(pid)])
  return { pid, port: Number(new URL(url).port), key, stop: () => app.close() }
}

function toTarget({ port, key }: Loaded, body: object): Target {
  const text = JSON.stringify(body)
  const head = [
    'POST /api/chat/completions HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  return { port, request: `${head.join('\r\n')}\r\n\r\n${text}` }
}

type Place = 'app' | 'headless'

/** Measures both places in turns; the first round is a warm-up. */
async function alternate(
  measure: (place: Place) => Promise<FloodAnswer>,
): Promise<Readonly<Record<Place, FloodAnswer[]>>> {
  const found: Record<Place, FloodAnswer[]> = { app: [], headless: [] }
  for (let round = -1; round < ROUNDS; round += 1)
    for (const place of ['app', 'headless'] as const) {
      const answer = await measure(place)
      if (round >= 0) found[place].push(answer)
    }
  return found
}

const toMegabytes = (pid: number): number => ((residentKilobytes(pid) ?? Number.NaN) * 1024) / 1e6

/**
 * P40: answers and streams of the gateway in the app's utility process beside the headless one, and
 * the memory of both at rest and a minute after the load.
 */
export async function run(): Promise<BenchResult> {
  if (process.getuid?.() === 0)
    return {
      goal: 'P40',
      rows: [],
      notes: ['Electron does not run as root: start this one as an ordinary user with a display.'],
    }
  const profile = mkdtempSync(path.join(tmpdir(), 'chat-gateway-bench-'))
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const driver = await startScript('driver.ts', DRIVER_CORE)
  const headless = await startGateway(model.ready.port, PROXY_CORE)
  const app = await startApp(model.ready.port, profile)
  const places = { app, headless }
  const notes: string[] = []
  const noteMemory = (moment: string): void => {
    notes.push(
      `resident ${moment}: app ${toMegabytes(app.pid).toFixed(0)} MB, headless ${toMegabytes(headless.pid).toFixed(0)} MB`,
    )
  }
  const rows: BenchRow[] = []
  try {
    await sleep(REST_MILLISECONDS)
    noteMemory('at rest')
    for (const { name, clients, body } of LOADS) {
      const found = await alternate(async (place) => {
        const target = toTarget(places[place], body)
        const job = { kind: 'flood', target, clients, milliseconds: MILLISECONDS }
        return driver.ask<FloodAnswer>(job)
      })
      const rate = (place: Place) => median(found[place].map(({ perSecond }) => perSecond))
      const wait = (place: Place) => median(found[place].map(({ p99 }) => p99))
      const value = rate('app') / rate('headless')
      rows.push(
        {
          name: `${name}: app vs headless`,
          value,
          unit: 'x',
          hold: '>= 0.9',
          moonshot: '>= 1',
          reached: judgeAtLeast(value, { hold: 0.9, moonshot: 1 }),
        },
        {
          name: `${name}: p99, app vs headless`,
          value: wait('app') / wait('headless'),
          unit: 'x',
          reached: 'shown',
        },
      )
      notes.push(
        `${name}: app ${rate('app').toFixed(0)}/s, headless ${rate('headless').toFixed(0)}/s`,
      )
    }
    noteMemory('after the load')
    await sleep(REST_MILLISECONDS)
    noteMemory('a minute later')
    const value = toMegabytes(app.pid) - toMegabytes(headless.pid)
    rows.push({
      name: 'resident a minute after the load, above headless',
      value,
      unit: 'MB',
      hold: '<= 40',
      moonshot: '<= 10',
      reached: judgeAtMost(value, { hold: 40, moonshot: 10 }),
    })
    return { goal: 'P40', rows, notes }
  } finally {
    await Promise.all([app.stop(), headless.stop(), driver.stop()])
    await model.stop()
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

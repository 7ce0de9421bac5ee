import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeResult, CodeState } from '../server/contract/code.ts'
import { pluginEnvironment, pluginPython } from '../server/testing/plugin-python.ts'
import { judgeAtMost, median, percentile, type BenchResult, type BenchRow } from './bench-result.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { openClient, type Client } from './support/http-client.ts'
import { DRIVER_CORE, PROXY_CORE, startScript } from './support/spawned.ts'

export const goals = ['P38']

const ROUNDS = 5
const WATCHED_MILLISECONDS = 1500
const PAUSE_MILLISECONDS = 4
const ADDED = { hold: 20, moonshot: 5 }
const CHAT = 'local:hostile'

/** Leaves Python for the JavaScript of the process around it. */
const OUT = `from pyodide.ffi import to_js
out = to_js({"a": 1}).constructor.constructor
`

/** Code that is written to slow down the gateway, by what it does. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'an endless loop': 'while True: pass',
  'a fork bomb': `${OUT}import os
spawn = out("try { process.getBuiltinModule('node:child_process').spawn('/bin/true') } catch {}")
while True:
    spawn()
    try: os.fork()
    except Exception: pass`,
  'strings of 1 GB': `while True:
    try: text = "x" * (1 << 30)
    except MemoryError: text = "x" * (1 << 27)`,
  'files without end': `part = b"x" * (1 << 20)
count = 0
while True:
    count += 1
    try:
        with open(f"/tmp/{count % 100}", "ab") as file: file.write(part)
    except Exception: count = count`,
  'output without end': 'while True: print("y" * 1000)',
  'collections of garbage': `${OUT}out("for (let kept = [];; kept = kept.slice(-1e5)) for (let at = 0; at < 1e6; at += 1) kept.push({ at })")()`,
}

interface Watched {
  readonly client: Client
  readonly request: Buffer
}

/** Returns the times in milliseconds of calls of `/health`, one after the other. */
async function watch({ client, request }: Watched): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + WATCHED_MILLISECONDS
  while (performance.now() < end) {
    const begun = performance.now()
    await client.send(request)
    times.push(performance.now() - begun)
    await sleep(PAUSE_MILLISECONDS)
  }
  return times
}

/** Runs code, again whenever it ends by itself, while `work` goes on. */
async function beside<Found>(
  gateway: BenchGateway,
  code: string,
  work: () => Promise<Found>,
): Promise<Found> {
  let id = ''
  let isOver = false
  async function repeat(): Promise<void> {
    while (!isOver) {
      id = randomUUID()
      const body = { code, chat_id: CHAT, id }
      const { status, stderr } = await gateway.call<CodeResult>('POST', '/api/v1/code/runs', body)
      if (status === 'ok') throw new Error('The code that should not end did.')
      if (stderr.includes('may be started')) throw new Error(stderr)
    }
  }
  const running = repeat()
  const isRunning = async (): Promise<boolean> =>
    (await gateway.call<CodeState>('GET', `/api/v1/code?chat_id=${CHAT}`)).process.state ===
    'running'
  while (!(await isRunning())) await Promise.race([sleep(PAUSE_MILLISECONDS), running])
  try {
    return await work()
  } finally {
    isOver = true
    await gateway.call('POST', `/api/v1/code/runs/${id}/stop`).catch(() => undefined)
    await running
  }
}

interface Round {
  readonly before: readonly number[]
  readonly meanwhile: readonly number[]
}

function judge(name: string, rounds: readonly Round[]): { rows: BenchRow[]; note: string } {
  const of = (side: keyof Round, share: number): number =>
    median(rounds.map((round) => percentile(round[side], share)))
  const added = median(
    rounds.map(({ before, meanwhile }) => percentile(meanwhile, 0.99) - percentile(before, 0.99)),
  )
  const row: BenchRow = {
    name: `added to the p99 of /health by ${name}`,
    value: added,
    unit: 'ms',
    hold: '<= 20',
    moonshot: '<= 5',
    reached: judgeAtMost(added, ADDED),
  }
  const show = (value: number): string => value.toFixed(1)
  const note =
    `${name}: p50 ${show(of('before', 0.5))} before, ${show(of('meanwhile', 0.5))} ms meanwhile; ` +
    `p99 ${show(of('before', 0.99))} before, ${show(of('meanwhile', 0.99))} ms meanwhile`
  return { rows: [row], note }
}

/**
 * P38: measures how much hostile code in a fenced process delays `/health` of the gateway, which
 * runs on the same core.
 */
export async function run(): Promise<BenchResult> {
  if (pluginPython === null)
    return { goal: 'P38', rows: [], notes: ['no Python with pydantic here, so there is no fence'] }
  const upstream = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(upstream.ready.port, PROXY_CORE, {
    environment: { ...pluginEnvironment, CODE_MEMORY_LIMIT: '512', CODE_TIMEOUT: '60' },
  })
  const client = openClient(gateway.port)
  const head = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\n\r\n`
  const watched: Watched = { client, request: Buffer.from(head) }
  const found = new Map<string, Round[]>(Object.keys(PROGRAMS).map((name) => [name, []]))
  try {
    await gateway.call('POST', '/api/v1/code/runs', { code: '1', chat_id: CHAT })
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, code] of Object.entries(PROGRAMS)) {
        const before = await watch(watched)
        const meanwhile = await beside(gateway, code, () => watch(watched))
        found.get(name)!.push({ before, meanwhile })
      }
    }
    const judged = [...found].map(([name, rounds]) => judge(name, rounds))
    return {
      goal: 'P38',
      rows: judged.flatMap(({ rows }) => rows),
      notes: judged.map(({ note }) => note),
    }
  } finally {
    client.close()
    await Promise.all([gateway.stop(), upstream.stop()])
  }
}

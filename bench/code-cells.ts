import { readFileSync } from 'node:fs'
import type { CodeResult } from '../server/contract/code.ts'
import { pluginEnvironment, pluginPython } from '../server/testing/plugin-python.ts'
import { hasJupyter, startJupyter } from '../server/testing/start-jupyter.ts'
import { median, type BenchResult, type BenchRow } from './bench-result.ts'
import { openSession, startBrowser } from './support/browser.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { offspringOf } from './support/offspring.ts'
import { DRIVER_CORE, PROXY_CORE, residentKilobytes, startScript } from './support/spawned.ts'

export const goals = ['P33']

const COLD = 3
const WARM = 9
const CODE = 'sum(range(10))'
const KIBI = 1024
const ON_JUPYTER = { CODE_EXECUTION_ENGINE: 'jupyter' }

/** Performs one run; resolves with its duration in milliseconds as seen by the caller. */
type Run = (chat: string) => Promise<number>

/**
 * Returns the memory in MB of a process below another one whose command line matches the pattern.
 */
const memoryOf = (pid: number, words: RegExp): number =>
  median(
    offspringOf(pid)
      .filter((each) => words.test(readFileSync(`/proc/${each}/cmdline`, 'utf8')))
      .map((each) => (residentKilobytes(each) ?? 0) / KIBI),
  )

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const shown = (name: string, value: number, unit: string): BenchRow => ({
  name,
  value,
  unit,
  reached: 'shown',
})

/** Measures the first cells of new chats, then further ones of a chat that has its interpreter. */
async function measure(place: string, run: Run): Promise<BenchRow[]> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < COLD; round += 1) cold.push(await run(`local:${place}-${round}`))
  for (let round = 0; round < WARM; round += 1) warm.push(await run(`local:${place}-0`))
  return [
    shown(`first cell of a chat, ${place}`, median(cold), 'ms'),
    shown(`further cells, ${place}`, median(warm), 'ms'),
  ]
}

const runOn =
  (gateway: BenchGateway, engine: CodeResult['engine']): Run =>
  (chat) =>
    timed(async () => {
      const body = { code: CODE, chat_id: chat }
      const result = await gateway.call<CodeResult>('POST', '/api/v1/code/runs', body)
      if (result.status !== 'ok' || result.result !== '45' || result.engine !== engine)
        throw new Error(JSON.stringify(result))
    })

async function onGateway(upstream: number): Promise<BenchRow[]> {
  const environment = { ...pluginEnvironment, CODE_PROCESS_LIMIT: String(COLD) }
  const gateway = await startGateway(upstream, PROXY_CORE, { environment })
  try {
    const rows = await measure('in a fenced process', runOn(gateway, 'gateway'))
    return [
      ...rows,
      shown('memory of a fenced process', memoryOf(gateway.pid, /code.runner/), 'MB'),
    ]
  } finally {
    await gateway.stop()
  }
}

async function onJupyter(upstream: number): Promise<BenchRow[]> {
  const token = 'bench'
  const jupyter = await startJupyter({ token })
  const gateway = await startGateway(upstream, PROXY_CORE)
  try {
    const values = {
      ...ON_JUPYTER,
      CODE_EXECUTION_JUPYTER_URL: jupyter.url,
      CODE_EXECUTION_JUPYTER_AUTH: 'token',
      CODE_EXECUTION_JUPYTER_AUTH_TOKEN: token,
    }
    await gateway.call('POST', '/api/v1/settings', { values })
    const rows = await measure('on a Jupyter server', runOn(gateway, 'jupyter'))
    return [...rows, shown('memory of a kernel', memoryOf(process.pid, /ipykernel/), 'MB')]
  } finally {
    await Promise.all([gateway.stop(), jupyter.close()])
  }
}

/** Where the gateway starts no process, a window runs the code of scripts. */
async function inWindow(upstream: number): Promise<BenchRow[]> {
  const environment = { CODE_ON_GATEWAY: 'never' }
  const browser = await startBrowser()
  const gateway = await startGateway(upstream, PROXY_CORE, { environment })
  try {
    const context = await openSession(browser, gateway)
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${gateway.port}/`)
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
    return await measure('in a window', runOn(gateway, 'window'))
  } finally {
    await browser.close()
    await gateway.stop()
  }
}

/**
 * P33: measures how long the first and further Python cells take, and how much memory they hold, in
 * every place.
 */
export async function run(): Promise<BenchResult> {
  const upstream = await startScript('mock-upstream.ts', DRIVER_CORE)
  const { port } = upstream.ready
  try {
    return {
      goal: 'P33',
      rows: [
        ...(await inWindow(port)),
        ...(pluginPython === null ? [] : await onGateway(port)),
        ...(hasJupyter ? await onJupyter(port) : []),
      ],
      notes: [
        ...(pluginPython === null ? ['no Python with pydantic here, so there is no fence'] : []),
        ...(hasJupyter ? [] : ['no Jupyter server here: npm test prepares one']),
      ],
    }
  } finally {
    await upstream.stop()
  }
}

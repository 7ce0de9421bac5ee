import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PluginState, PluginTrace } from '../server/contract/plugins.ts'
import { judgeAtMost, median, type BenchResult, type BenchRow } from './bench-result.ts'
import { NO_PYTHON, startPluginField, type PluginField } from './support/plugin-gateway.ts'

const CALLS = 60
const ROUNDS = 5
const STARTS = 7
const TOOLS = 20
const PEOPLE = 5
const MEBIBYTE = 1024 * 1024
const LIMITS = { call: 3, start: 500, memory: 60 }
const BEAT_MILLISECONDS = 1500

export const goals = ['P21']

/** The function reports its own duration, so that the rest is the overhead of the call. */
const TOOL = `import time


class Tools:
    async def work(self, words: str) -> str:
        begun = time.perf_counter()
        text = " ".join(sorted(words.split()))
        return f"{time.perf_counter() - begun:.9f} {text}"
`

/** Echoes each line, as the minimal Python process with pydantic. */
const BARE =
  'import sys, pydantic\nfor line in sys.stdin:\n    sys.stdout.write(line)\n    sys.stdout.flush()\n'

const WORDS = 'some words to put into their order'

/** Returns the milliseconds of calls beyond the function itself, as measured by the gateway. */
async function callTool({ gateway }: PluginField, id: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let call = 0; call < count; call += 1) {
    const trace = await gateway.call<PluginTrace>('POST', `/api/v1/plugins/tool/${id}/run`, {
      hook: 'work',
      arguments: { words: WORDS },
    })
    if (trace.status !== 'done') throw new Error(JSON.stringify(trace.error))
    const { text } = trace.result as { text: string }
    times.push(trace.duration! - Number.parseFloat(text) * 1000)
  }
  return times
}

/**
 * Returns the milliseconds until the bare process has echoed its first line, the time of a later
 * line, and its memory.
 */
async function runBare(python: string): Promise<{ start: number; line: number; memory: number }> {
  const begun = performance.now()
  const child = spawn(python, ['-P', '-s', '-c', BARE], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ask = async (): Promise<void> => {
    child.stdin.write(`${WORDS}\n`)
    await once(child.stdout, 'data')
  }
  await ask()
  const start = performance.now() - begun
  const lines: number[] = []
  for (let line = 0; line < CALLS; line += 1) {
    const before = performance.now()
    await ask()
    lines.push(performance.now() - before)
  }
  const memory =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) /
    1024
  child.kill()
  await once(child, 'exit')
  return { start, line: median(lines), memory }
}

const workersOf = async ({ gateway }: PluginField): Promise<PluginState['workers']> =>
  (await gateway.call<PluginState>('GET', '/api/v1/plugins/state')).workers

/**
 * Measures the first call after the plugin process was killed: starting it, loading the plugin,
 * calling it.
 */
async function restart(field: PluginField): Promise<number> {
  for (const { pid } of await workersOf(field)) if (pid !== null) process.kill(pid, 'SIGKILL')
  while ((await workersOf(field)).length > 0) await sleep(10)
  const [time] = await callTool(field, 'tool_0', 1)
  return time!
}

/**
 * Each user who writes tools has a separate process; returns the bytes that each additional process
 * takes.
 */
async function addPeople({ gateway }: PluginField): Promise<number[]> {
  const before = new Set(
    (await gateway.call<PluginState>('GET', '/api/v1/plugins/state')).workers.map(({ id }) => id),
  )
  await gateway.call('POST', '/api/v1/users/default/permissions', { workspace: { tools: true } })
  for (let index = 0; index < PEOPLE; index += 1) {
    const person = {
      name: 'Somebody',
      email: `person${index}@example.com`,
      password: 'correct horse battery',
      role: 'user',
    }
    const { token } = await gateway.call<{ token: string }>('POST', '/api/v1/auths/add', person)
    const reply = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/tools/create`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: `own_${index}`, name: 'Own', content: TOOL }),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }
  await sleep(BEAT_MILLISECONDS)
  const { workers } = await gateway.call<PluginState>('GET', '/api/v1/plugins/state')
  return workers.filter(({ id }) => !before.has(id)).map(({ memory }) => memory ?? Number.NaN)
}

function toRow(name: string, value: number, unit: string, hold: number): BenchRow {
  return {
    name,
    value,
    unit,
    hold: `<= ${hold}`,
    reached: judgeAtMost(value, { hold, moonshot: 0 }),
  }
}

export async function run(): Promise<BenchResult> {
  const field = await startPluginField()
  if (!field) return { goal: 'P21', rows: [], notes: [NO_PYTHON] }
  try {
    for (let index = 0; index < TOOLS; index += 1) {
      await field.gateway.call('POST', '/api/v1/tools/create', {
        id: `tool_${index}`,
        name: `Tool ${index}`,
        content: TOOL,
      })
    }
    const calls: number[] = []
    const starts: number[] = []
    const bare: Awaited<ReturnType<typeof runBare>>[] = []
    await callTool(field, 'tool_0', CALLS)
    for (let round = 0; round < ROUNDS; round += 1) {
      calls.push(median(await callTool(field, 'tool_0', CALLS)))
      bare.push(await runBare(field.python))
    }
    for (let round = 0; round < STARTS; round += 1) starts.push(await restart(field))
    for (let index = 0; index < TOOLS; index += 1) await callTool(field, `tool_${index}`, 1)
    await sleep(BEAT_MILLISECONDS)
    const [worker, ...others] = await workersOf(field)
    const own = await addPeople(field)
    const [start, line, memory] = [
      bare.map((one) => one.start),
      bare.map((one) => one.line),
      bare.map((one) => one.memory),
    ].map(median)
    return {
      goal: 'P21',
      rows: [
        toRow(
          'a warm call of a tool, beyond the function itself, p50',
          median(calls),
          'ms',
          LIMITS.call,
        ),
        toRow(
          'the first call after the process went away: start, load, call',
          median(starts),
          'ms',
          LIMITS.start,
        ),
        toRow(
          `memory of a process with ${TOOLS} plugins loaded and idle`,
          (worker?.memory ?? Number.NaN) / MEBIBYTE,
          'MiB',
          LIMITS.memory,
        ),
        toRow(
          `memory of the process of one more person, of ${own.length}, idle`,
          median(own) / MEBIBYTE,
          'MiB',
          LIMITS.memory,
        ),
      ],
      notes: [
        `a bare Python with pydantic: ${line!.toFixed(2)} ms for a line there and back, ${start!.toFixed(0)} ms to its first answer, ${memory!.toFixed(1)} MiB`,
        ...(others.length > 0 ? [`${others.length} further processes, which is not expected`] : []),
      ],
    }
  } finally {
    await field.stop()
  }
}

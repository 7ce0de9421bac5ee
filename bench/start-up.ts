import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchResult, judgeAtMost, median } from './bench-result.ts'
import { fillChats } from './support/fill-chats.ts'

const ROUNDS = 9
const IDLE_SECONDS = 8
const gateway = path.resolve(import.meta.dirname, '../out/server/index.js')
/** The baseline: a server that does nothing but reply. */
const BARE =
  "require('node:http').createServer((q,s)=>s.end('{}')).listen(0,'127.0.0.1',function(){console.log('ready at http://127.0.0.1:'+this.address().port)})"

interface Started {
  child: ChildProcess
  milliseconds: number
}

async function startUntilHealthy(
  args: readonly string[],
  env: Record<string, string>,
): Promise<Started> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /http:\S+/.exec(line.toString())![0]
  const response = await fetch(`${url}/health`)
  await response.arrayBuffer()
  return { child, milliseconds: performance.now() - begun }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function timeStart(args: readonly string[], env: Record<string, string>): Promise<number> {
  const { child, milliseconds } = await startUntilHealthy(args, env)
  await end(child)
  return milliseconds
}

const environmentFor = (dataDir: string) => ({
  DATA_DIR: dataDir,
  PORT: '0',
  LLMHOST_BASE_URLS: '',
  LOG_LEVEL: 'error',
})

async function measureStart(folders: { empty: string; large: string }): Promise<BenchResult> {
  const [bare, empty, large]: [number[], number[], number[]] = [[], [], []]
  // One start before the rounds creates the database and the compile cache, as a user's second
  // start would find them.
  await timeStart([gateway], environmentFor(folders.empty))
  await sleep(1500)
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timeStart(['--eval', BARE], {}))
    empty.push(await timeStart([gateway], environmentFor(folders.empty)))
    large.push(await timeStart([gateway], environmentFor(folders.large)))
  }
  const ratio = median(empty) / median(bare)
  const growth = median(large) / median(empty)
  return {
    goal: 'P12',
    rows: [
      {
        name: 'start to /health vs bare Node',
        value: ratio,
        unit: 'x',
        hold: '<= 2.5',
        moonshot: '<= 1.6',
        reached: judgeAtMost(ratio, { hold: 2.5, moonshot: 1.6 }),
      },
      {
        name: 'start with 100,000 chats vs empty',
        value: growth,
        unit: 'x',
        moonshot: '<= 1.1',
        reached: growth <= 1.1 ? 'moonshot' : 'hold',
      },
    ],
    notes: [
      `medians of ${ROUNDS} interleaved starts: bare ${median(bare).toFixed(0)} ms, gateway ${median(empty).toFixed(0)} ms, with 100,000 chats ${median(large).toFixed(0)} ms`,
    ],
  }
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/**
 * Returns the user and system time of a process in milliseconds; Linux counts in hundredths of a
 * second.
 */
function cpuMilliseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function measureIdle(dataDir: string): Promise<BenchResult> {
  const { child } = await startUntilHealthy([gateway], environmentFor(dataDir))
  // The check of the whole database runs once, ten seconds after the start; the idle time is
  // measured after it.
  await sleep(20_000)
  const before = cpuMilliseconds(child.pid!)
  await sleep(IDLE_SECONDS * 1000)
  const cpu = (cpuMilliseconds(child.pid!) - before) / IDLE_SECONDS
  const resident = residentMegabytes(child.pid!)
  await end(child)
  return {
    goal: 'P13',
    rows: [
      {
        name: 'idle resident memory, 100,000 chats',
        value: resident,
        unit: 'MB',
        hold: '<= 130',
        moonshot: '<= 90',
        reached: judgeAtMost(resident, { hold: 130, moonshot: 90 }),
      },
      {
        name: 'idle CPU',
        value: cpu,
        unit: 'ms/s',
        hold: '<= 10',
        moonshot: '<= 2',
        reached: judgeAtMost(cpu, { hold: 10, moonshot: 2 }),
      },
    ],
  }
}

/**
 * P12 and P13: measures how quickly the gateway replies after a start, and what it costs while
 * idle.
 */
export async function run(): Promise<BenchResult[]> {
  const folders = {
    empty: mkdtempSync(path.join(tmpdir(), 'bench-start-')),
    large: mkdtempSync(path.join(tmpdir(), 'bench-start-large-')),
  }
  try {
    await timeStart([gateway], environmentFor(folders.large))
    await fillChats(path.join(folders.large, 'chat-gateway.db'), {
      chats: 100_000,
      messagesPerChat: 10,
    })
    return [await measureStart(folders), await measureIdle(folders.large)]
  } finally {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { MEMORY_ENVIRONMENT, NODE_FLAGS } from '../../main/gateway/gateway-flags.ts'
import type { LoopAnswer } from './loop-delay.ts'
import { pinned, stopProcess } from './spawned.ts'

/** The gateway as users run it: a separate process, a database on disk, an account and a key. */
export interface BenchGateway {
  readonly pid: number
  readonly port: number
  readonly key: string
  readonly token: string
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Returns the figures of the event loop since the last call; requires `watchesLoop`. */
  readLoop(): Promise<LoopAnswer>
  stop(): Promise<void>
}

/** Options of a benchmark's gateway that differ from the usual ones. */
export interface GatewayOptions {
  /** Fills the database before the start. */
  readonly prepare?: (database: string) => Promise<void>
  readonly environment?: Readonly<Record<string, string>>
  /** True to measure the delay of its event loop. */
  readonly watchesLoop?: boolean
}

const root = path.join(import.meta.dirname, '..', '..')
const BUILT = path.join(root, 'out', 'server', 'index.js')

/**
 * `BENCH_NODE_FLAGS` adds to the flags with which `npm run serve` starts it, such as `--cpu-prof
 * --cpu-prof-dir=…`.
 */
const FLAGS = [...NODE_FLAGS, ...(process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [])]

const LOOP_FLAGS = ['--import', path.join(import.meta.dirname, 'loop-delay.ts')]

/** Starts the built server, or the sources if there is none, in front of a model server. */
export async function startGateway(
  upstreamPort: number,
  core: number,
  { prepare, environment = {}, watchesLoop = false }: GatewayOptions = {},
): Promise<BenchGateway> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-gateway-'))
  if (prepare) {
    mkdirSync(path.join(folder, 'data'))
    await prepare(path.join(folder, 'data', 'chat-gateway.db'))
  }
  const entry = existsSync(BUILT) ? BUILT : path.join(root, 'server', 'index.ts')
  const child = spawn(
    ...pinned(core, process.execPath, [...FLAGS, ...(watchesLoop ? LOOP_FLAGS : []), entry]),
    {
      stdio: ['ignore', 'pipe', 'inherit', ...(watchesLoop ? ['ipc' as const] : [])],
      env: {
        ...MEMORY_ENVIRONMENT,
        PATH: process.env['PATH'],
        HOME: folder,
        PORT: '0',
        DATA_DIR: path.join(folder, 'data'),
        LOG_LEVEL: 'warn',
        ENABLE_API_KEYS: 'true',
        LLMHOST_BASE_URL: '',
        OPENAI_API_BASE_URLS: `http://127.0.0.1:${upstreamPort}/v1`,
        OPENAI_API_KEYS: 'bench-key',
        ...environment,
      },
    },
  )
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the gateway ended before it was ready')))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const found = /ready at http:\/\/[^:]+:(\d+)/.exec(line)
      if (found) resolve(Number(found[1]))
    })
  })
  let token = ''
  async function call<Answer>(method: string, address: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${port}${address}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!response.ok)
      throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }
  const account = { name: 'Bench', email: 'bench@localhost.test', password: 'bench-password-1' }
  token = (await call<{ token: string }>('POST', '/api/v1/auths/signup', account)).token
  const { api_key: key } = await call<{ api_key: string }>('POST', '/api/v1/auths/api_key')
  await call('GET', '/api/models?refresh=true')
  if (watchesLoop) child.send('begin')
  return {
    pid: child.pid!,
    port,
    key,
    token,
    call,
    async readLoop() {
      const answer = once(child, 'message')
      child.send('end')
      const [found] = (await answer) as [LoopAnswer]
      child.send('begin')
      return found
    },
    async stop() {
      await stopProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

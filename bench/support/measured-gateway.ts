import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MEMORY_ENVIRONMENT, NODE_FLAGS } from '../../main/gateway/gateway-flags.ts'
import { readLocalAccess } from '../../server/config/local-access.ts'

const root = path.resolve(import.meta.dirname, '../..')
const BUILT = path.join(root, 'out/server/index.js')

/** Figures of a gateway's event loop between two moments, in milliseconds. */
export interface LoopFigures {
  /** Delay of its turns. */
  readonly p99: number
  readonly max: number
  /** Processor time of its longest turn. */
  readonly processor: number
}

/** A gateway with an account, whose event loop is measured on demand. */
export interface MeasuredGateway {
  readonly url: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly dataDir: string
  begin(): void
  end(): Promise<LoopFigures>
  stop(): Promise<void>
}

export const PASSWORD = 'a password for the benchmark'
export const EMAIL = 'bench@example.com'

interface MeasuredGatewayOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Fills the data folder, including an account, before the start; then nobody is signed up. */
  readonly prepare?: (dataDir: string) => Promise<void>
}

async function signUp(url: string): Promise<string> {
  const account = JSON.stringify({ name: 'Bench', email: EMAIL, password: PASSWORD })
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(`${url}/api/v1/auths/signup`, {
    method: 'POST',
    headers,
    body: account,
  })
  return ((await reply.json()) as { token: string }).token
}

/** Returns the token of the first administrator of a filled data folder. */
async function signInLocally(url: string, dataDir: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ token: readLocalAccess(dataDir) })
  const reply = await fetch(`${url}/api/v1/auths/local`, { method: 'POST', headers, body })
  return ((await reply.json()) as { token: string }).token
}

/** Starts the built gateway, or the sources if there is none, in front of a model server. */
export async function startMeasuredGateway(
  upstream: string,
  { environment = {}, prepare }: MeasuredGatewayOptions = {},
): Promise<MeasuredGateway> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-loop-'))
  await prepare?.(dataDir)
  const child: ChildProcess = fork(
    process.env['GATEWAY_ENTRY'] ??
      (existsSync(BUILT) ? BUILT : path.join(root, 'server/index.ts')),
    [],
    {
      execArgv: [...NODE_FLAGS, '--import', path.join(import.meta.dirname, 'loop-delay.ts')],
      env: {
        ...process.env,
        ...MEMORY_ENVIRONMENT,
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'error',
        LLMHOST_BASE_URLS: '',
        OPENAI_API_BASE_URLS: upstream,
        OPENAI_API_KEYS: 'key',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const url = /http:\S+/.exec(line.toString())![0]
  const token = prepare ? await signInLocally(url, dataDir) : await signUp(url)
  return {
    url,
    token,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    dataDir,
    begin: () => void child.send('begin'),
    async end() {
      const answer = once(child, 'message')
      child.send('end')
      return ((await answer) as [LoopFigures])[0]
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Number of rounds: a single one may include a garbage collection caused by others. */
const ROUNDS = 3

const middle = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

/**
 * Runs the work several times. The processor time is the median of the rounds, as the first one
 * runs code that is not compiled yet; the delay of the loop is the worst of them.
 */
export async function measureRounds(
  gateway: MeasuredGateway,
  work: () => Promise<void>,
  { restMilliseconds = 0 } = {},
): Promise<LoopFigures> {
  const rounds: LoopFigures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    gateway.begin()
    await work()
    if (restMilliseconds > 0) await sleep(restMilliseconds)
    rounds.push(await gateway.end())
  }
  return {
    p99: Math.max(...rounds.map(({ p99 }) => p99)),
    max: Math.max(...rounds.map(({ max }) => max)),
    processor: middle(rounds.map(({ processor }) => processor)),
  }
}

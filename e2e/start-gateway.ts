import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const READY = /^Chat Gateway ready at (http:\/\/\S+)$/m
const START_TIMEOUT = 20_000

/** A gateway in a separate process and data folder, as a user would run it headless. */
export interface RunningGateway {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Returns everything the gateway has logged so far. */
  log(): string
  /** Kills the process. */
  crash(): Promise<void>
  /** Starts it again on the same data and port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface Started {
  child: ChildProcess
  url: string
}

function startProcess(
  env: Record<string, string>,
  onLog: (text: string) => void,
): Promise<Started> {
  const child = spawn(process.execPath, [path.join(root, 'out/server/index.js')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (part: Buffer): void => {
    output += part.toString()
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The gateway did not start:\n${output}`)),
      START_TIMEOUT,
    )
    child.stderr.on('data', (part: Buffer) => onLog(part.toString()))
    child.stderr.on('data', keep)
    child.stdout.on('data', (part: Buffer) => {
      keep(part)
      const url = READY.exec(output)?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve({ child, url })
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The gateway ended with ${code}:\n${output}`))
    })
  })
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve))

async function end({ child }: Started, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await ended(child)
}

/** Starts the built gateway headless; `env` adds variables. */
export async function startGateway(env: Record<string, string> = {}): Promise<RunningGateway> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-e2e-'))
  let log = ''
  const base = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    LLMHOST_BASE_URLS: '',
    LOCAL_RUNTIME_PORTS: '',
    ENABLE_EVALUATION_ARENA_MODELS: 'false',
    ...env,
  }
  const collect = (text: string): void => {
    log += text
  }
  let running = await startProcess({ PORT: '0', ...base }, collect)
  return {
    get url() {
      return running.url
    },
    get pid() {
      return running.child.pid!
    },
    dataDir,
    log: () => log,
    crash: () => end(running, 'SIGKILL'),
    async restart() {
      running = await startProcess({ ...base, PORT: new URL(running.url).port }, collect)
    },
    async stop() {
      await end(running, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

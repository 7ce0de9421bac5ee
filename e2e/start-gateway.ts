import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const READY = /^Chat Gateway ready at (http:\/\/\S+)$/m
const START_TIMEOUT = 20_000

/** A gateway in a process and data folder of its own, as a person would run it headless. */
export interface RunningGateway {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Everything the gateway logged so far. */
  log(): string
  /** Ends the process the hard way and starts it again on the same data and port. */
  crashAndRestart(): Promise<void>
  stop(): Promise<void>
}

interface Started {
  child: ChildProcess
  url: string
}

function startProcess(env: Record<string, string>, onLog: (text: string) => void): Promise<Started> {
  const child = spawn(process.execPath, [path.join(root, 'out/server/index.js')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The gateway did not start:\n${output}`)), START_TIMEOUT)
    child.stderr.on('data', (part: Buffer) => onLog(part.toString()))
    child.stderr.on('data', (part: Buffer) => (output += part.toString()))
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      const url = READY.exec(output)?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve({ child, url })
    })
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}:\n${output}`)))
  })
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve))

/** Starts the built gateway headless; `env` adds variables. */
export async function startGateway(env: Record<string, string> = {}): Promise<RunningGateway> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-e2e-'))
  let log = ''
  const base = { DATA_DIR: dataDir, HOST: '127.0.0.1', LLMHOST_BASE_URLS: '', ...env }
  const collect = (text: string) => (log += text)
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
    async crashAndRestart() {
      running.child.kill('SIGKILL')
      await ended(running.child)
      running = await startProcess({ ...base, PORT: new URL(running.url).port }, collect)
    },
    async stop() {
      running.child.kill('SIGTERM')
      await ended(running.child)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** `npm test` sets the built bundle, which starts in a fifth of the time the sources take. */
const entry = process.env['GATEWAY_ENTRY'] ?? path.resolve(import.meta.dirname, '../index.ts')
const READY = /Chat Gateway ready at (http:\/\/\S+)/
const START_LIMIT_MILLISECONDS = 30_000

/** A gateway in a separate process, for tests that kill it. */
export interface GatewayProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Ends the process without giving it a chance to clean up. */
  kill(): Promise<void>
  /** Requests a stop; resolves with the exit code. */
  terminate(): Promise<number | null>
}

export async function startGatewayProcess(
  environment: Record<string, string>,
  limit = START_LIMIT_MILLISECONDS,
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [entry], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      LOG_LEVEL: 'error',
      LLMHOST_BASE_URLS: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The gateway did not start: ${output}`)), limit)
    const read = (part: Buffer) => {
      output += part.toString()
      const found = READY.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}: ${output}`)))
    child.once('exit', () => clearTimeout(timer))
  })
  const ended = once(child, 'exit')
  return {
    url,
    child,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async terminate() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}

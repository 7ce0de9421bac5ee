import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { utilityProcess } from 'electron'
import { serveCodeWindows } from './code-windows.ts'
import { serveReaders } from './document-readers.ts'
import { MEMORY_ENVIRONMENT, NODE_FLAGS, TRUST_ENVIRONMENT } from './gateway-flags.ts'
import type { MessageToGateway } from './gateway-messages.ts'
import { serveEngines } from './model-engine.ts'

/** A running server process, regardless of how it was started. */
export interface GatewayProcess {
  send(message: MessageToGateway): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, when the process has ended or could not be started. */
  onExit(listener: (code: number | null) => void): void
  kill(): void
}

export interface SpawnOptions {
  /** Built or development entry point of the server. */
  readonly entry: string
  readonly environment: Readonly<Record<string, string>>
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void
}

interface OutputStreams {
  stdout: NodeJS.ReadableStream | null
  stderr: NodeJS.ReadableStream | null
}

function forwardOutput(child: OutputStreams, onOutput: SpawnOptions['onOutput']): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8')
    child[stream]?.on('data', (text: string) => onOutput(text, stream))
  }
}

/** Starts the server in Electron's own Node, as the packaged app does. */
export function spawnUtility({ entry, environment, onOutput }: SpawnOptions): GatewayProcess {
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Chat Gateway server',
    env: { ...MEMORY_ENVIRONMENT, ...TRUST_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  forwardOutput(child, onOutput)
  serveReaders(child, entry)
  serveEngines(child, entry)
  serveCodeWindows(child, path.join(path.dirname(entry), '../preload/code-line.cjs'))
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void (child.pid !== undefined && process.kill(child.pid, 'SIGKILL')),
  }
}

/** Starts the server under a plain Node. */
export function spawnNode(
  node: string,
  { entry, environment, onOutput }: SpawnOptions,
): GatewayProcess {
  const child = spawn(node, [...NODE_FLAGS, entry], {
    env: { ...MEMORY_ENVIRONMENT, ...TRUST_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  })
  forwardOutput(child, onOutput)
  return {
    send: (message) => void (child.connected && child.send(message, ignoreClosedChannel)),
    onMessage: (listener) => void child.on('message', listener),
    onExit(listener) {
      child.once('exit', listener)
      child.once('error', (error) => {
        onOutput(`The server could not be started with "${node}": ${error.message}\n`, 'stderr')
        if (child.pid === undefined) listener(null)
      })
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

/** A message to a process that is exiting is lost in any case; `onExit` reports the exit. */
const ignoreClosedChannel = (): void => undefined

/** Returns the Node included in the project, otherwise the one on the PATH. */
export function findNode(appFolder: string): string {
  const local = path.join(
    appFolder,
    'node_modules',
    '.bin',
    process.platform === 'win32' ? 'node.cmd' : 'node',
  )
  return existsSync(local) ? local : 'node'
}

/**
 * The packaged app includes its own Node; in development the server runs under the project's,
 * regardless of the Electron version.
 */
export const spawnGateway = (
  app: { isPackaged: boolean; folder: string },
  options: SpawnOptions,
): GatewayProcess =>
  app.isPackaged ? spawnUtility(options) : spawnNode(findNode(app.folder), options)

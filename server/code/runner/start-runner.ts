import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PYTHON_CELL } from '#contract/python-cell.ts'
import { readProgram } from '../../config/program.ts'
import type { LoneProgram, Plugins, WorkerProcess } from '../../plugins/index.ts'
import type { RunnerStart } from './protocol.ts'

/** Size of the JavaScript heap; Python's memory is separate. */
const HEAP_MEBIBYTES = 256
/** Lower than the gateway, not the lowest: on a busy machine no runtime would be loaded in time. */
const LOW_PRIORITY = 10

/**
 * Finds the files of the runtime: beside the bundle, else where the package manager installed them.
 */
function findRuntimeFolder(): string {
  const bundled = path
    .join(import.meta.dirname, 'pyodide')
    .replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
  if (existsSync(path.join(bundled, 'pyodide.mjs'))) return bundled
  return path.dirname(fileURLToPath(import.meta.resolve('pyodide/package.json')))
}

let found: string | null = null

/** Returns the folder of the runtime files. */
export const runtimeFolder = (): string => (found ??= findRuntimeFolder())

/**
 * Returns the TypeScript file beside this module if run from the sources; once bundled, a separate
 * file beside the server's entry.
 */
function runnerFile(): string {
  const isBundled = import.meta.filename.endsWith('.js')
  const file = path.join(import.meta.dirname, isBundled ? 'code-runner.js' : 'main.ts')
  return file.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
}

/**
 * Returns false inside Electron, which has no Node to start a process with: the fuse that would let
 * it run as Node is off in the packaged app.
 */
export const canStartNode = (): boolean => process.versions['electron'] === undefined

export interface RunnerPlace {
  readonly fence: Plugins['fence']
  readonly packages: string
  readonly memory: number
  /** True if it may run even where no sandbox restricts its file access. */
  readonly mayRoam: boolean
}

/**
 * Describes the program of a runner: Node with permission to read these files, inside the system's
 * sandbox.
 */
function describeProgram(packages: string): LoneProgram {
  const file = runnerFile()
  const readable = [runtimeFolder(), path.dirname(file), packages]
  // Node searches parent folders for the module type of a file.
  const read = [...readable, path.join(readProgram().folder, 'package.json')]
  return {
    command: process.execPath,
    arguments: [
      `--max-old-space-size=${HEAP_MEBIBYTES}`,
      '--no-warnings',
      '--permission',
      ...read.map((each) => `--allow-fs-read=${each}`),
      file,
    ],
    readable: read,
    environment: { OPENSSL_CONF: process.platform === 'win32' ? 'NUL' : '/dev/null' },
    nice: LOW_PRIORITY,
  }
}

/**
 * Starts a process that runs cells; resolves with null if it would have to run without a sandbox
 * and may not.
 */
export async function startRunner({
  fence,
  packages,
  memory,
  mayRoam,
}: RunnerPlace): Promise<WorkerProcess | null> {
  const started = await fence.startAlone(describeProgram(packages), mayRoam)
  if (started === null) return null
  const start: RunnerStart = { folder: runtimeFolder(), packages, cell: PYTHON_CELL, memory }
  started.input.write(`${JSON.stringify(start)}\n`)
  return started
}

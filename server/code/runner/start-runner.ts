import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PYTHON_CELL } from '#contract/python-cell.ts'
import { readProgram } from '../../config/program.ts'
import type { LoneProgram, Plugins, WorkerProcess } from '../../plugins/index.ts'
import type { RunnerStart } from './protocol.ts'

/** Of the JavaScript heap; what Python has lies beside it. */
const HEAP_MEBIBYTES = 256
/** Behind everything the gateway itself does. */
const LOW_PRIORITY = 10

/** The files of the runtime: beside the bundle, else where the package manager put them. */
function findRuntimeFolder(): string {
  const bundled = path
    .join(import.meta.dirname, 'pyodide')
    .replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
  if (existsSync(path.join(bundled, 'pyodide.mjs'))) return bundled
  return path.dirname(fileURLToPath(import.meta.resolve('pyodide/package.json')))
}

let found: string | null = null

/** Where the files of the runtime lie. */
export const runtimeFolder = (): string => (found ??= findRuntimeFolder())

/**
 * TypeScript beside this module when run from the sources; once bundled, a file of its own beside
 * the server's entry.
 */
function runnerFile(): string {
  const isBundled = import.meta.filename.endsWith('.js')
  const file = path.join(import.meta.dirname, isBundled ? 'code-runner.js' : 'main.ts')
  return file.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
}

/**
 * Inside Electron there is no Node a process could be started with: the fuse that would let it run
 * as Node is off in the packed app.
 */
export const canStartNode = (): boolean => process.versions['electron'] === undefined

export interface RunnerPlace {
  readonly fence: Plugins['fence']
  readonly packages: string
  readonly memory: number
  /** Whether it may run where nothing holds it to its files. */
  readonly mayRoam: boolean
}

/**
 * The program of a runner: Node with the rights to read these files, inside the fence of the
 * system.
 */
function describeProgram(packages: string): LoneProgram {
  const file = runnerFile()
  const readable = [runtimeFolder(), path.dirname(file), packages]
  // Node looks for the kind of module a file is above it.
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
  }
}

/**
 * Starts a process that runs cells; null where it would have to run without a fence and may not.
 */
export async function startRunner({
  fence,
  packages,
  memory,
  mayRoam,
}: RunnerPlace): Promise<WorkerProcess | null> {
  const started = await fence.startAlone(describeProgram(packages), mayRoam)
  if (started === null) return null
  try {
    if (started.pid !== undefined) setPriority(started.pid, LOW_PRIORITY)
  } catch {
    // It is gone already, which its exit tells.
  }
  const start: RunnerStart = { folder: runtimeFolder(), packages, cell: PYTHON_CELL, memory }
  started.input.write(`${JSON.stringify(start)}\n`)
  return started
}

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fenceIn } from './fenced-program.ts'
import { startWorkerProcess, type WorkerProcess } from './start-process.ts'

/** A program that needs nothing but files to read and the two pipes of a worker. */
export interface LoneProgram {
  readonly command: string
  readonly arguments: readonly string[]
  /** Files and folders it reads, its own libraries aside. */
  readonly readable: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Where programs find the libraries they are linked with. */
const LIBRARIES = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/etc/ld.so.cache',
  '/nix/store',
]
const MOST_OPEN_FILES = 256

/**
 * Starts it behind the fence, where there is an interpreter that builds one. Everything it is not
 * given is closed to it.
 */
export function startAlone(
  launcher: string | null,
  { command, arguments: words, readable, environment }: LoneProgram,
): WorkerProcess {
  const folder = path.parse(command).root
  if (launcher === null)
    return startWorkerProcess({ command, arguments: words, folder, environment })
  // Links are none of them: what they lead to is closed where it lies.
  const closed = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => !entry.isSymbolicLink(),
  )
  const fence = {
    closed: closed.map(({ name }) => path.join(folder, name)),
    readable: [command, ...LIBRARIES, ...readable],
    writable: [],
    alone: true,
  }
  const program = fenceIn({
    launcher,
    fence,
    command,
    arguments: words,
    limits: { open_files: MOST_OPEN_FILES },
    descriptors: [3, 4],
  })
  return startWorkerProcess({ ...program, folder, environment })
}

import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { fenceIn } from './fenced-program.ts'
import { startWorkerProcess, type WorkerProcess } from './start-process.ts'

/** A program that needs only files to read and the two pipes of a worker. */
export interface LoneProgram {
  readonly command: string
  readonly arguments: readonly string[]
  /** Files and folders it reads, besides its own libraries. */
  readonly readable: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Priority from 1 to 19, the lowest. */
  readonly nice: number
}

/** Paths of shared libraries. */
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

function standBack(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice)
  } catch {
    // It has already ended, as reported by its exit.
  }
}

/**
 * Starts it behind the fence, if there is an interpreter that creates one. Everything not listed is
 * inaccessible to it.
 */
export function startAlone(
  launcher: string | null,
  { command, arguments: words, readable, environment, nice }: LoneProgram,
): WorkerProcess {
  const folder = path.parse(command).root
  if (launcher === null) {
    const started = startWorkerProcess({ command, arguments: words, folder, environment })
    standBack(started.pid, nice)
    return started
  }
  // Symbolic links are excluded: their targets are closed at their own path.
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
    nice,
  })
  return startWorkerProcess({ ...program, folder, environment })
}

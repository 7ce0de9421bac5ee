import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ProgramWatch } from '../../outgoing/index.ts'
import { runProgram } from './start-process.ts'

/** Disk access of a plugin program, if the system can enforce it (plugin-host, `fence`). */
export interface Fence {
  /** Folders it may neither read nor write; everything outside of them can be read. */
  readonly closed: readonly string[]
  /** Folders inside the closed ones that it may read. */
  readonly readable: readonly string[]
  /** The only folders it may write. */
  readonly writable: readonly string[]
  /** True for no network and no other processes. */
  readonly alone?: boolean
  /** True for no network. */
  readonly offline?: boolean
}

export interface FencedProgram {
  /**
   * The interpreter that creates the fence: one that loads nothing from folders plugins or their
   * packages can write to.
   */
  readonly launcher: string
  /** Absent for a program that may do what the account may. */
  readonly fence?: Fence
  /** Place where its connections are reported; null if they are not. */
  readonly watch?: ProgramWatch | null
  readonly command: string
  readonly arguments: readonly string[]
  /** Resource limits of the program and its child processes. */
  readonly limits?: Readonly<Record<string, number>>
  /** Descriptors it inherits besides the three standard streams. */
  readonly descriptors?: readonly number[]
  /** Priority below that of the gateway, from 1 to 19, the lowest; absent for the same. */
  readonly nice?: number
}

/**
 * Returns the folder beside the bundle, else that of the sources. Python cannot read the archive of
 * the packaged app.
 */
function findHostFolder(): string {
  const folders = [
    path.join(import.meta.dirname, 'plugin-host'),
    path.resolve(import.meta.dirname, '../../../resources/plugin-host/src'),
  ]
  const found = folders
    .map((folder) => folder.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked'))
    .find((folder) => existsSync(folder))
  return found ?? folders[0]!
}

/** Folder of the host's sources. */
export const hostFolder = findHostFolder()

/** Arguments that start Python without packages, settings and compiled modules of users. */
const BARE = ['-I', '-S', '-B']

/**
 * Returns the program and arguments that start another program inside its fence. Windows supports
 * neither this fence nor such limits.
 */
export function fenceIn({
  launcher,
  fence,
  watch,
  command,
  arguments: words,
  limits = {},
  descriptors = [],
  nice,
}: FencedProgram) {
  if (process.platform === 'win32') return { command, arguments: words }
  const description = JSON.stringify({ fence, watch, limits, descriptors, nice })
  return {
    command: launcher,
    arguments: [
      ...BARE,
      path.join(hostFolder, 'plugin_host', 'fence.py'),
      description,
      command,
      ...words,
    ],
  }
}

const PATIENCE_MILLISECONDS = 10_000

/** Returns true if this system supports fences; tested by creating one. */
export async function canFence(launcher: string, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const said: string[] = []
  const asked = 'import os; print(os.environ["PLUGIN_HOST_FENCED"])'
  const fence = { closed: [], readable: [], writable: [] }
  const program = fenceIn({ launcher, fence, command: launcher, arguments: [...BARE, '-c', asked] })
  const options = { ...program, folder, environment: { LANG: 'C.UTF-8' } }
  await runProgram(
    options,
    (line) => void said.push(line),
    AbortSignal.timeout(PATIENCE_MILLISECONDS),
  ).catch(() => -1)
  return said[0] === '1'
}

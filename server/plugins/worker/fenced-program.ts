import { existsSync } from 'node:fs'
import path from 'node:path'
import { runProgram } from './start-process.ts'

/**
 * What a program of plugins may reach of the disk, where the system can hold it to that
 * (plugin-host, `fence`).
 */
export interface Fence {
  /** Folders it may neither read nor write; everything outside of them can be read. */
  readonly closed: readonly string[]
  /** Folders within the closed ones that it may read. */
  readonly readable: readonly string[]
  /** The only folders it may write. */
  readonly writable: readonly string[]
  /** It has no network and starts no other process. */
  readonly alone?: boolean
  /** It has no network. */
  readonly offline?: boolean
}

export interface FencedProgram {
  /**
   * The interpreter that builds the fence: one that takes nothing from folders plugins or their
   * packages can write.
   */
  readonly launcher: string
  readonly fence: Fence
  readonly command: string
  readonly arguments: readonly string[]
  /** Resource limits, for the program and all it starts. */
  readonly limits?: Readonly<Record<string, number>>
  /** What it inherits besides the three standard streams. */
  readonly descriptors?: readonly number[]
}

/**
 * Beside the bundle, else where the sources are. Python cannot look into the archive of the
 * packaged app.
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

/** Where the sources of the host lie. */
export const hostFolder = findHostFolder()

/** How Python is started that takes neither packages, settings nor compiled modules of anybody. */
const BARE = ['-I', '-S', '-B']

/**
 * The program and arguments that start another one inside its fence. Windows has neither fence nor
 * limits of this kind.
 */
export function fenceIn({
  launcher,
  fence,
  command,
  arguments: words,
  limits = {},
  descriptors = [],
}: FencedProgram) {
  if (process.platform === 'win32') return { command, arguments: words }
  const description = JSON.stringify({ fence, limits, descriptors })
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

/** Whether this system can fence programs in at all; asked by fencing one in. */
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

import path from 'node:path'
import { unavailable } from '../../lib/errors.ts'
import { runProgram } from '../worker/start-process.ts'
import type { EnvironmentsOptions, ReadyEnvironment } from './environments.ts'

/** An environment on its way to be there. */
export interface Entry {
  readonly id: string
  readonly requirements: readonly string[]
  status: 'waiting' | 'installing' | 'ready' | 'failed'
  detail: string | null
  readonly lines: string[]
  ready: Promise<ReadyEnvironment> | null
}

/** An interpreter and where its programs look for others. */
export interface Place {
  readonly python: string
  readonly searchPath: string
}

/** What installing needs besides the options: the end of everything, and how to get the base. */
export interface InstallContext extends EnvironmentsOptions {
  readonly closing: AbortSignal
  readonly ensureBase: () => Promise<ReadyEnvironment>
}

const KEPT_LINES = 300
const INSTALL_MILLISECONDS = 15 * 60_000

export function tell(entry: Entry, line: string): void {
  entry.lines.push(line)
  if (entry.lines.length > KEPT_LINES) entry.lines.shift()
}

/** Runs Python with what it prints in the log of the environment; answers its exit code and its last words. */
async function run(context: InstallContext, entry: Entry, { python, searchPath }: Place, args: readonly string[]) {
  const { folder, variables, closing } = context
  tell(entry, `$ python ${args.join(' ')}`)
  const quiet = { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' }
  // Compiled modules of the interpreter itself are kept here, as nobody may write into the packaged app.
  const cache = { PYTHONPYCACHEPREFIX: path.join(folder, 'pycache') }
  const environment = { LANG: 'C.UTF-8', HOME: folder, ...quiet, ...cache, ...variables, PATH: searchPath }
  const signal = AbortSignal.any([closing, AbortSignal.timeout(INSTALL_MILLISECONDS)])
  const said: string[] = []
  const onLine = (line: string): void => {
    tell(entry, line)
    said.push(line)
  }
  const code = await runProgram({ command: python, arguments: ['-s', '-P', ...args], folder, environment }, onLine, signal)
  return { code, said }
}

/** As `run`; throws what the installer said when it failed. */
export async function runInstaller(context: InstallContext, entry: Entry, place: Place, args: readonly string[]): Promise<void> {
  const { code, said } = await run(context, entry, place, args)
  if (code === 0) return
  const errors = said.filter((line) => /error/i.test(line))
  const reason = (errors.length > 0 ? errors : said).slice(-3).join(' ')
  throw unavailable(`The packages could not be installed: ${reason || `exit code ${code}`}`)
}

/** Whether everything a list asks for is already there; nothing is fetched to find out. */
export async function isSatisfied(context: InstallContext, entry: Entry, place: Place, lines: string): Promise<boolean> {
  const { code, said } = await run(context, entry, place, ['-m', 'pip', 'install', '--dry-run', '--no-index', '--no-color', '-r', lines])
  // Some machines name folders of packages for everybody, so it may succeed and yet have something to do.
  return code === 0 && !said.some((line) => line.startsWith('Would install'))
}

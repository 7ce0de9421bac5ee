import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { unavailable } from '../../lib/errors.ts'
import { fenceIn } from '../worker/fenced-program.ts'
import { runProgram } from '../worker/start-process.ts'
import type { EnvironmentsOptions, ReadyEnvironment } from './ready-environment.ts'

/** An environment being created. */
export interface Entry {
  readonly id: string
  readonly requirements: readonly string[]
  status: 'waiting' | 'installing' | 'ready' | 'failed'
  detail: string | null
  readonly lines: string[]
  ready: Promise<ReadyEnvironment> | null
  /** Cancels its current installation. */
  stopping: AbortController | null
  /** Number of waiting callers. */
  waiting: number
}

/** An interpreter, the one that creates its sandbox, and the search path of its programs. */
export type Place = Omit<ReadyEnvironment, 'id'>

/**
 * Dependencies of an installation besides the options: the signal of the shutdown, and access to
 * the base.
 */
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

/** Logs that an installation starts, which takes time. */
export function beginInstalling({ log }: InstallContext, entry: Entry): void {
  entry.status = 'installing'
  log.info(
    { environment: entry.id, requirements: entry.requirements },
    'installing packages for plugins; this may take a minute',
  )
}

/** Name of the installer's log file in its own folder, besides its output. */
const LOG_NAME = 'pip.log'

interface Outcome {
  readonly code: number
  readonly said: readonly string[]
  /** Log of the installer after a failure. */
  readonly log: string
}

/**
 * Runs Python with its output in the log of the environment. It may only write to this environment
 * and a dedicated folder, because installed packages run their code in it. Settings of the
 * installer are not read from any place a plugin could write to.
 */
async function run(
  context: InstallContext,
  entry: Entry,
  place: Place,
  args: readonly string[],
): Promise<Outcome> {
  const { folder, temporaryFolder, closed, variables, closing } = context
  tell(entry, `$ python ${args.join(' ')}`)
  await mkdir(temporaryFolder, { recursive: true })
  const own = await mkdtemp(path.join(temporaryFolder, 'install-'))
  const quiet = {
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    PIP_NO_CACHE_DIR: '1',
    PIP_LOG: path.join(own, LOG_NAME),
  }
  const places = { PATH: place.searchPath, HOME: own, TMPDIR: own, TEMP: own, TMP: own }
  const environment = { LANG: 'C.UTF-8', ...quiet, ...variables, ...places }
  const signal = AbortSignal.any([
    closing,
    AbortSignal.timeout(INSTALL_MILLISECONDS),
    ...(entry.stopping ? [entry.stopping.signal] : []),
  ])
  signal.throwIfAborted()
  const said: string[] = []
  const onLine = (line: string): void => {
    tell(entry, line)
    said.push(line)
  }
  const program = fenceIn({
    launcher: place.launcher,
    fence: { closed, readable: [folder], writable: [own, path.join(folder, entry.id)] },
    watch: context.watch(place.python),
    command: place.python,
    arguments: ['-I', '-B', ...args],
  })
  try {
    const code = await runProgram({ ...program, folder: own, environment }, onLine, signal)
    const log = code === 0 ? '' : await readFile(path.join(own, LOG_NAME), 'utf8').catch(() => '')
    return { code, said, log }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** Names with -, _ and . are equal. */
const nameOf = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/**
 * Returns the package that was refused because it would have to be built; null for another error.
 */
function findUnbuilt({ said, log }: Outcome): string | null {
  const missing = said.flatMap(
    (line) => /No matching distribution found for ([\w.-]+)/.exec(line)?.[1] ?? [],
  )[0]
  const skipped = [...log.matchAll(/No sources permitted for ([\w.-]+)/g)].map(([, name]) =>
    nameOf(name!),
  )
  return missing !== undefined && skipped.includes(nameOf(missing)) ? missing : null
}

/** Like `run`; throws the installer's message on failure. */
export async function runInstaller(
  context: InstallContext,
  entry: Entry,
  place: Place,
  args: readonly string[],
): Promise<void> {
  const outcome = await run(context, entry, place, args)
  const { code, said } = outcome
  if (code === 0) return
  const unbuilt = findUnbuilt(outcome)
  const errors = said.filter((line) => /error/i.test(line))
  const reason =
    unbuilt === null
      ? (errors.length > 0 ? errors : said).slice(-3).join(' ')
      : `There is no wheel of ${unbuilt} for this Python and system, only its source code. Only wheels are installed, because building a package runs its code. Ask its author for a wheel, or name a version that has one.`
  throw unavailable(`The packages could not be installed: ${reason || `exit code ${code}`}`)
}

/**
 * Arguments of the installer: pre-built packages only, because building one runs code of its
 * author.
 */
export const INSTALL = [
  '-m',
  'pip',
  'install',
  '--only-binary=:all:',
  '--no-color',
  '--progress-bar',
  'off',
]

/** Returns true if everything a list requires is installed; fetches nothing. */
export async function isSatisfied(
  context: InstallContext,
  entry: Entry,
  place: Place,
  lines: string,
): Promise<boolean> {
  const { code, said } = await run(context, entry, place, [
    ...INSTALL,
    '--dry-run',
    '--no-index',
    '-r',
    lines,
  ])
  // Some machines have shared package folders, so it may succeed and yet have packages to install.
  return code === 0 && !said.some((line) => line.startsWith('Would install'))
}

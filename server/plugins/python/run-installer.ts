import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { unavailable } from '../../lib/errors.ts'
import { fenceIn } from '../worker/fenced-program.ts'
import { runProgram } from '../worker/start-process.ts'
import type { EnvironmentsOptions, ReadyEnvironment } from './ready-environment.ts'

/** An environment on its way to be there. */
export interface Entry {
  readonly id: string
  readonly requirements: readonly string[]
  status: 'waiting' | 'installing' | 'ready' | 'failed'
  detail: string | null
  readonly lines: string[]
  ready: Promise<ReadyEnvironment> | null
  /** Ends what is under way for it. */
  stopping: AbortController | null
  /** How many wait for it. */
  waiting: number
}

/** An interpreter, the one that builds its fence, and where its programs look for others. */
export type Place = Omit<ReadyEnvironment, 'id'>

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

/** Says in the log what is about to take its time. */
export function beginInstalling({ log }: InstallContext, entry: Entry): void {
  entry.status = 'installing'
  log.info(
    { environment: entry.id, requirements: entry.requirements },
    'installing packages for plugins; this may take a minute',
  )
}

/** What the installer writes down besides what it prints, in its own folder. */
const LOG_NAME = 'pip.log'

interface Outcome {
  readonly code: number
  readonly said: readonly string[]
  /** Of what the installer wrote down when it failed. */
  readonly log: string
}

/**
 * Runs Python with what it prints in the log of the environment. It may write nothing but this
 * environment and a folder of its own, as packages that are there already run their code in it.
 * Settings of the installer are taken from nowhere a plugin could write.
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

/** Names are the same with -, _ and . */
const nameOf = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/**
 * The package that was refused because it would have to be built; null when something else was
 * wrong.
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

/** As `run`; throws what the installer said when it failed. */
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

/** How packages are installed: ready-made ones only, as building one runs code of its author. */
export const INSTALL = [
  '-m',
  'pip',
  'install',
  '--only-binary=:all:',
  '--no-color',
  '--progress-bar',
  'off',
]

/** Whether everything a list asks for is already there; nothing is fetched to find out. */
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
  // Some machines name folders of packages for everybody, so it may succeed and yet have something
  // to do.
  return code === 0 && !said.some((line) => line.startsWith('Would install'))
}

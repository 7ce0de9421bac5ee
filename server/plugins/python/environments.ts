import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PluginEnvironment } from '#contract/plugins.ts'
import { unavailable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { runProgram } from '../worker/start-process.ts'
import type { PythonSearch } from './find-python.ts'

/** An environment workers can be started in. */
export interface ReadyEnvironment {
  readonly id: string
  /** The interpreter of the environment. */
  readonly python: string
  /** Where its programs look for others. */
  readonly searchPath: string
}

/** The environments plugins are run in: one of the base packages, and one above it for each set of requirements. */
export interface Environments {
  /** Installs what is missing, one after the other; 503 with what to do when that is impossible, or with what the installer said. */
  ensure(requirements: readonly string[]): Promise<ReadyEnvironment>
  /** Installs an environment again from nothing; null when there is none with this id. */
  reinstall(id: string): Promise<ReadyEnvironment> | null
  describe(): PluginEnvironment[]
  close(): void
}

export interface EnvironmentsOptions {
  readonly folder: string
  readonly findPython: () => Promise<PythonSearch>
  readonly basePackages: () => readonly string[]
  /** Null, or in words why nothing may be installed. */
  readonly refusal: () => string | null
  /** What the installer may see besides the search path, such as proxies. */
  readonly variables: Readonly<Record<string, string>>
  readonly log: Logger
}

interface Entry {
  readonly id: string
  readonly requirements: readonly string[]
  status: PluginEnvironment['status']
  detail: string | null
  readonly lines: string[]
  ready: Promise<ReadyEnvironment> | null
}

const BASE = 'base'
const KEPT_LINES = 300
const INSTALL_MILLISECONDS = 15 * 60_000

const idOf = (requirements: readonly string[]): string =>
  requirements.length === 0 ? BASE : createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 16)

const programIn = (folder: string): string =>
  process.platform === 'win32' ? path.join(folder, 'Scripts', 'python.exe') : path.join(folder, 'bin', 'python')

/** What an environment was made of; another interpreter or other base packages make it anew. */
const sealOf = (version: string, packages: readonly string[]): string => JSON.stringify({ version, packages })

export function createEnvironments(options: EnvironmentsOptions): Environments {
  const { folder, findPython, basePackages, refusal, variables, log } = options
  const entries = new Map<string, Entry>()
  const closing = new AbortController()
  let queue: Promise<unknown> = Promise.resolve()

  function entryFor(requirements: readonly string[]): Entry {
    const id = idOf(requirements)
    const known = entries.get(id)
    if (known) return known
    const entry: Entry = { id, requirements, status: 'waiting', detail: null, lines: [], ready: null }
    entries.set(id, entry)
    return entry
  }

  function tell(entry: Entry, line: string): void {
    entry.lines.push(line)
    if (entry.lines.length > KEPT_LINES) entry.lines.shift()
  }

  async function runPython(entry: Entry, python: string, searchPath: string, args: readonly string[]): Promise<void> {
    tell(entry, `$ python ${args.join(' ')}`)
    const environment = {
      LANG: 'C.UTF-8',
      HOME: folder,
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_NO_INPUT: '1',
      ...variables,
      PATH: searchPath,
    }
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(INSTALL_MILLISECONDS)])
    const said: string[] = []
    const onLine = (line: string): void => {
      tell(entry, line)
      said.push(line)
    }
    const code = await runProgram({ command: python, arguments: args, folder, environment }, onLine, signal)
    if (code === 0) return
    const errors = said.filter((line) => /error/i.test(line))
    throw unavailable(
      `The packages could not be installed: ${(errors.length > 0 ? errors : said).slice(-3).join(' ') || `exit code ${code}`}`,
    )
  }

  /** Packages of the base are seen by the environments above it, and those of their own win. */
  async function linkBase(python: string, entry: Entry, base: string, searchPath: string): Promise<void> {
    const asked = 'import sysconfig; print(sysconfig.get_path("purelib"))'
    const said: string[] = []
    const ask = (program: string): Promise<number> =>
      runProgram(
        { command: program, arguments: ['-I', '-c', asked], folder, environment: { PATH: searchPath } },
        (line) => void said.push(line),
        closing.signal,
      )
    await ask(base)
    await ask(python)
    const [below, own] = said
    if (!below || !own) throw unavailable('The environment does not say where its packages are. Install it again.')
    await writeFile(path.join(own, 'base.pth'), `${below}\n`)
    tell(entry, `Packages of the base are in ${below}`)
  }

  async function install(entry: Entry, again: boolean): Promise<ReadyEnvironment> {
    const found = await findPython()
    if ('missing' in found) throw unavailable(found.missing, { code: 'no_python' })
    const { python, searchPath } = found
    const base = entry.id === BASE ? null : await attempt(entryFor([]))
    const packages = base ? entry.requirements : basePackages()
    const place = path.join(folder, entry.id)
    const program = programIn(place)
    const seal = sealOf(python.version, [...basePackages(), ...entry.requirements])
    const sealFile = path.join(place, 'installed.json')
    const isThere = existsSync(program) && (await readFile(sealFile, 'utf8').catch(() => '')) === seal
    if (isThere && !again) return { id: entry.id, python: program, searchPath }
    const refused = refusal()
    if (refused !== null) return runBare(entry, { python: python.path, searchPath, refused })
    entry.status = 'installing'
    await rm(place, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await runPython(entry, python.path, searchPath, ['-m', 'venv', place])
    if (base) await linkBase(program, entry, base.python, searchPath)
    const lines = path.join(place, 'requirements.txt')
    await writeFile(lines, `${packages.join('\n')}\n`)
    await runPython(entry, program, searchPath, ['-m', 'pip', 'install', '--no-color', '--progress-bar', 'off', '-r', lines])
    await writeFile(sealFile, seal)
    return { id: entry.id, python: program, searchPath }
  }

  /** Without permission to install, an interpreter that has what the host needs will do for plugins that ask for nothing more. */
  async function runBare(entry: Entry, { python, searchPath, refused }: { python: string; searchPath: string; refused: string }) {
    if (entry.id !== BASE) throw unavailable(`${entry.requirements.join(', ')} would have to be installed. ${refused}`)
    const needs = ['-I', '-c', 'import pydantic; assert tuple(map(int, pydantic.VERSION.split(".")[:2])) >= (2, 7)']
    const environment = { PATH: searchPath, LANG: 'C.UTF-8' }
    const code = await runProgram(
      { command: python, arguments: needs, folder: path.dirname(python), environment },
      () => undefined,
      closing.signal,
    )
    if (code !== 0) throw unavailable(`${python} has no pydantic 2.7 or later, which plugins need. ${refused}`)
    tell(entry, `Nothing is installed: ${refused} ${python} is used as it is.`)
    return { id: entry.id, python, searchPath }
  }

  async function attempt(entry: Entry, again = false): Promise<ReadyEnvironment> {
    try {
      const ready = await install(entry, again)
      Object.assign(entry, { status: 'ready', detail: null })
      return ready
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      // The next call tries again, as the network may be back.
      Object.assign(entry, { status: 'failed', detail, ready: null })
      tell(entry, detail)
      log.warn({ error, environment: entry.id }, 'an environment of plugins could not be installed')
      throw error
    }
  }

  /** One after the other, so that two plugins never install the same thing at once. */
  function enqueue(work: () => Promise<ReadyEnvironment>): Promise<ReadyEnvironment> {
    const result = queue.then(work)
    queue = result.catch(() => null)
    return result
  }

  return {
    ensure(requirements) {
      const entry = entryFor(requirements)
      entry.ready ??= enqueue(() => attempt(entry))
      return entry.ready
    },
    reinstall(id) {
      const entry = entries.get(id)
      if (!entry) return null
      entry.status = 'waiting'
      entry.ready = enqueue(() => attempt(entry, true))
      return entry.ready
    },
    describe: () =>
      [...entries.values()].map(({ id, requirements, status, detail, lines }) => ({
        id,
        requirements: [...requirements],
        status,
        detail,
        log: [...lines],
      })),
    close: () => closing.abort(),
  }
}

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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

export const BASE = 'base'
const KEPT_LINES = 300
const INSTALL_MILLISECONDS = 15 * 60_000

export const idOf = (requirements: readonly string[]): string =>
  requirements.length === 0 ? BASE : createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 16)

const programIn = (folder: string): string =>
  process.platform === 'win32' ? path.join(folder, 'Scripts', 'python.exe') : path.join(folder, 'bin', 'python')

/** What an environment was made of; another interpreter or other packages make it anew. */
const sealOf = (version: string, packages: readonly string[]): string => JSON.stringify({ version, packages })

export function tell(entry: Entry, line: string): void {
  entry.lines.push(line)
  if (entry.lines.length > KEPT_LINES) entry.lines.shift()
}

interface Place {
  readonly python: string
  readonly searchPath: string
}

/** What installing needs besides the options: the end of everything, and how to get the base. */
export interface InstallContext extends EnvironmentsOptions {
  readonly closing: AbortSignal
  readonly ensureBase: () => Promise<ReadyEnvironment>
}

async function runPython(context: InstallContext, entry: Entry, { python, searchPath }: Place, args: readonly string[]): Promise<void> {
  const { folder, variables, closing } = context
  tell(entry, `$ python ${args.join(' ')}`)
  const quiet = { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' }
  const environment = { LANG: 'C.UTF-8', HOME: folder, ...quiet, ...variables, PATH: searchPath }
  const signal = AbortSignal.any([closing, AbortSignal.timeout(INSTALL_MILLISECONDS)])
  const said: string[] = []
  const onLine = (line: string): void => {
    tell(entry, line)
    said.push(line)
  }
  const code = await runProgram({ command: python, arguments: args, folder, environment }, onLine, signal)
  if (code === 0) return
  const errors = said.filter((line) => /error/i.test(line))
  const reason = (errors.length > 0 ? errors : said).slice(-3).join(' ')
  throw unavailable(`The packages could not be installed: ${reason || `exit code ${code}`}`)
}

/** Packages of the base are seen by the environments above it, and those of their own win. */
async function linkBase({ folder, closing }: InstallContext, entry: Entry, { python, searchPath }: Place, base: string): Promise<void> {
  const asked = 'import sysconfig; print(sysconfig.get_path("purelib"))'
  const said: string[] = []
  for (const command of [base, python]) {
    const options = { command, arguments: ['-I', '-c', asked], folder, environment: { PATH: searchPath } }
    await runProgram(options, (line) => void said.push(line), closing)
  }
  const [below, own] = said
  if (!below || !own) throw unavailable('The environment does not say where its packages are. Install it again.')
  await writeFile(path.join(own, 'base.pth'), `${below}\n`)
  tell(entry, `Packages of the base are in ${below}`)
}

/** Without permission to install, an interpreter that has what the host needs will do for plugins that ask for nothing more. */
async function runBare(
  { closing }: InstallContext,
  entry: Entry,
  { python, searchPath }: Place,
  refused: string,
): Promise<ReadyEnvironment> {
  if (entry.id !== BASE) throw unavailable(`${entry.requirements.join(', ')} would have to be installed. ${refused}`)
  const needs = 'import pydantic; assert tuple(map(int, pydantic.VERSION.split(".")[:2])) >= (2, 7)'
  const environment = { PATH: searchPath, LANG: 'C.UTF-8' }
  const options = { command: python, arguments: ['-I', '-c', needs], folder: path.dirname(python), environment }
  const code = await runProgram(options, () => undefined, closing)
  if (code !== 0) throw unavailable(`${python} has no pydantic 2.7 or later, which plugins need. ${refused}`)
  tell(entry, `Nothing is installed: ${refused} ${python} is used as it is.`)
  return { id: entry.id, python, searchPath }
}

/** Installs an environment unless it is there already as it should be. */
export async function installEnvironment(context: InstallContext, entry: Entry, again: boolean): Promise<ReadyEnvironment> {
  const { folder, findPython, basePackages, refusal } = context
  const found = await findPython()
  if ('missing' in found) throw unavailable(found.missing, { code: 'no_python' })
  const { searchPath } = found
  const base = entry.id === BASE ? null : await context.ensureBase()
  const place = path.join(folder, entry.id)
  const own: Place = { python: programIn(place), searchPath }
  const seal = sealOf(found.python.version, [...basePackages(), ...entry.requirements])
  const sealFile = path.join(place, 'installed.json')
  const isThere = existsSync(own.python) && (await readFile(sealFile, 'utf8').catch(() => '')) === seal
  if (isThere && !again) return { id: entry.id, ...own }
  const first: Place = { python: found.python.path, searchPath }
  const refused = refusal()
  if (refused !== null) return runBare(context, entry, first, refused)
  entry.status = 'installing'
  await rm(place, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await runPython(context, entry, first, ['-m', 'venv', place])
  if (base) await linkBase(context, entry, own, base.python)
  const lines = path.join(place, 'requirements.txt')
  await writeFile(lines, `${(base ? entry.requirements : basePackages()).join('\n')}\n`)
  await runPython(context, entry, own, ['-m', 'pip', 'install', '--no-color', '--progress-bar', 'off', '-r', lines])
  await writeFile(sealFile, seal)
  return { id: entry.id, ...own }
}

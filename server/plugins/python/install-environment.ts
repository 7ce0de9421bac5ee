import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unavailable } from '../../lib/errors.ts'
import { runProgram } from '../worker/start-process.ts'
import { ensureAbovePackaged } from './above-packaged.ts'
import type { ReadyEnvironment } from './environments.ts'
import { ASKING } from './find-python.ts'
import { runInstaller, tell, type Entry, type InstallContext, type Place } from './run-installer.ts'
import { linkBase, programIn } from './virtual-environment.ts'

export const BASE = 'base'

export const idOf = (requirements: readonly string[]): string =>
  requirements.length === 0 ? BASE : createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 16)

/** What an environment was made of; another interpreter or other packages make it anew. */
const sealOf = (version: string, packages: readonly string[]): string => JSON.stringify({ version, packages })

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
  const options = { command: python, arguments: [...ASKING, '-c', needs], folder: path.dirname(python), environment }
  const code = await runProgram(options, () => undefined, closing)
  if (code !== 0) throw unavailable(`${python} has no pydantic 2.7 or later, which plugins need. ${refused}`)
  tell(entry, `Nothing is installed: ${refused} ${python} is used as it is.`)
  return { id: entry.id, python, searchPath }
}

/** An environment of a Python of this machine, with everything in it installed by the gateway. */
async function ensureAboveFound(context: InstallContext, entry: Entry, first: Place & { version: string }, again: boolean) {
  const { folder, basePackages, refusal } = context
  const { searchPath } = first
  const base = entry.id === BASE ? null : await context.ensureBase()
  const place = path.join(folder, entry.id)
  const own: Place = { python: programIn(place), searchPath }
  const seal = sealOf(first.version, [...basePackages(), ...entry.requirements])
  const sealFile = path.join(place, 'installed.json')
  const isThere = existsSync(own.python) && (await readFile(sealFile, 'utf8').catch(() => '')) === seal
  if (isThere && !again) return { id: entry.id, ...own }
  const refused = refusal()
  if (refused !== null) return runBare(context, entry, first, refused)
  entry.status = 'installing'
  await rm(place, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await runInstaller(context, entry, first, ['-m', 'venv', place])
  if (base) await linkBase(context, entry, own, base.python)
  const lines = path.join(place, 'requirements.txt')
  await writeFile(lines, `${(base ? entry.requirements : basePackages()).join('\n')}\n`)
  await runInstaller(context, entry, own, ['-m', 'pip', 'install', '--no-color', '--progress-bar', 'off', '-r', lines])
  await writeFile(sealFile, seal)
  return { id: entry.id, ...own }
}

/** Installs an environment unless it is there already as it should be. */
export async function installEnvironment(context: InstallContext, entry: Entry, again: boolean): Promise<ReadyEnvironment> {
  const found = await context.findPython()
  if ('missing' in found) throw unavailable(found.missing, { code: 'no_python' })
  const { python, searchPath } = found
  const { packaged } = python
  if (!packaged) return ensureAboveFound(context, entry, { python: python.path, version: python.version, searchPath }, again)
  const bare: ReadyEnvironment = { id: BASE, python: python.path, searchPath }
  const isBase = entry.id === BASE
  const wanted = isBase ? context.basePackages() : entry.requirements
  if (isBase && wanted.join('\n') === packaged.packages.join('\n')) {
    tell(entry, 'The packages that come with the app are used as they are.')
    return bare
  }
  const below = isBase ? bare : await context.ensureBase()
  return ensureAbovePackaged({ context, entry, python: { ...python, packaged }, searchPath, wanted, below }, again)
}

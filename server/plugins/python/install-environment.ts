import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unavailable } from '../../lib/errors.ts'
import { runProgram } from '../worker/start-process.ts'
import { ensureAbovePackaged } from './above-packaged.ts'
import type { ReadyEnvironment } from './ready-environment.ts'
import { ASKING } from './find-python.ts'
import {
  beginInstalling,
  INSTALL,
  isSatisfied,
  runInstaller,
  tell,
  type Entry,
  type InstallContext,
  type Place,
} from './run-installer.ts'
import { linkBase, programIn } from './virtual-environment.ts'

export const BASE = 'base'

export const idOf = (requirements: readonly string[]): string =>
  requirements.length === 0
    ? BASE
    : createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 16)

/**
 * Returns the seal of an environment: another interpreter or other packages require recreating it.
 */
const sealOf = (folder: string, version: string, packages: readonly string[]): string =>
  JSON.stringify({ folder, version, packages })

/**
 * Without permission to install, an interpreter that has the host's requirements suffices for
 * plugins that need nothing it does not have.
 */
async function runBare(
  context: InstallContext,
  entry: Entry,
  place: Place,
  refused: string,
): Promise<ReadyEnvironment> {
  const { closing, folder } = context
  const { python, searchPath } = place
  if (entry.id !== BASE) {
    const lines = path.join(folder, `${entry.id}.txt`)
    await mkdir(folder, { recursive: true })
    await writeFile(lines, `${entry.requirements.join('\n')}\n`)
    if (!(await isSatisfied(context, entry, place, lines)))
      throw unavailable(`${entry.requirements.join(', ')} would have to be installed. ${refused}`)
  }
  const needs = 'import pydantic; assert tuple(map(int, pydantic.VERSION.split(".")[:2])) >= (2, 7)'
  const environment = { PATH: searchPath, LANG: 'C.UTF-8' }
  const options = {
    command: python,
    arguments: [...ASKING, '-c', needs],
    folder: path.dirname(python),
    environment,
  }
  const code = await runProgram(options, () => undefined, closing)
  if (code !== 0)
    throw unavailable(`${python} has no pydantic 2.7 or later, which plugins need. ${refused}`)
  tell(entry, `Nothing is installed: ${refused} ${python} is used as it is.`)
  return { id: BASE, ...place }
}

/**
 * Ensures an environment of a Python of this machine, with all packages installed by the gateway.
 */
async function ensureAboveFound(
  context: InstallContext,
  entry: Entry,
  first: Place & { version: string },
  again: boolean,
) {
  const { folder, sealsFolder, basePackages, refusal } = context
  const base = entry.id === BASE ? null : await context.ensureBase()
  const place = path.join(folder, entry.id)
  const { version, ...found } = first
  const own: Place = { ...found, python: programIn(place) }
  const seal = sealOf(place, version, [...basePackages(), ...entry.requirements])
  const sealFile = path.join(sealsFolder, `${entry.id}.json`)
  const isThere =
    existsSync(own.python) && (await readFile(sealFile, 'utf8').catch(() => '')) === seal
  if (isThere && !again) return { id: entry.id, ...own }
  const refused = refusal()
  if (refused !== null) return runBare(context, entry, found, refused)
  beginInstalling(context, entry)
  await rm(sealFile, { force: true })
  await rm(place, { recursive: true, force: true })
  await mkdir(place, { recursive: true })
  await runInstaller(context, entry, first, ['-m', 'venv', place])
  if (base && base.python !== found.python)
    await linkBase(entry, { base: path.join(folder, BASE), own: place }, version)
  const lines = path.join(folder, `${entry.id}.txt`)
  await writeFile(lines, `${(base ? entry.requirements : basePackages()).join('\n')}\n`)
  await runInstaller(context, entry, own, [...INSTALL, '-r', lines])
  await mkdir(sealsFolder, { recursive: true })
  await writeFile(sealFile, seal)
  return { id: entry.id, ...own }
}

/** Installs an environment unless it already exists in the required state. */
export async function installEnvironment(
  context: InstallContext,
  entry: Entry,
  again: boolean,
): Promise<ReadyEnvironment> {
  const found = await context.findPython()
  if ('missing' in found) throw unavailable(found.missing, { code: 'no_python' })
  const { python, searchPath } = found
  const { packaged } = python
  const place: Place = { python: python.path, launcher: python.launcher, searchPath }
  if (!packaged)
    return ensureAboveFound(context, entry, { ...place, version: python.version }, again)
  const bare: ReadyEnvironment = { id: BASE, ...place }
  const isBase = entry.id === BASE
  const wanted = isBase ? context.basePackages() : entry.requirements
  if (isBase && wanted.join('\n') === packaged.packages.join('\n')) {
    tell(entry, 'The packages that come with the app are used as they are.')
    return bare
  }
  const below = isBase ? bare : await context.ensureBase()
  return ensureAbovePackaged(
    { context, entry, python: { ...python, packaged }, place, wanted, below },
    again,
  )
}

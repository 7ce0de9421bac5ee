import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from '#contract/lazy-zod.ts'
import { unavailable } from '../../lib/errors.ts'
import type { ReadyEnvironment } from './ready-environment.ts'
import type { Python } from './find-python.ts'
import type { PackagedPython } from './packaged-python.ts'
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
import {
  linkBase,
  makeAbovePackaged,
  minorOf,
  programIn,
  removeSettings,
} from './virtual-environment.ts'

/** Record of how an environment was made. */
const sealSchema = z.object({
  folder: z.string(),
  /** Major and minor version; installed packages fit no other one. */
  python: z.string(),
  packages: z.array(z.string()),
  /** Versions of the packages below it. */
  lock: z.string(),
  /**
   * Former path of the interpreter: an AppImage has a new path at each start, and an upgrade may
   * move the app as well.
   */
  interpreter: z.string(),
})
type Seal = z.output<typeof sealSchema>

export interface AbovePackaged {
  readonly context: InstallContext
  readonly entry: Entry
  readonly python: Python & { readonly packaged: PackagedPython }
  /** The packaged interpreter with its start parameters. */
  readonly place: Place
  /** Requirements of every plugin of the environment. */
  readonly wanted: readonly string[]
  /**
   * The environment below it: the packaged interpreter itself, or an environment of other base
   * packages.
   */
  readonly below: ReadyEnvironment
}

async function readSeal(file: string): Promise<Seal | null> {
  try {
    return sealSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.join('\n') === other.join('\n')

/** Installs on top of the existing packages; fetches only the missing ones. */
async function install(
  { context, entry }: AbovePackaged,
  own: Place,
  lines: string,
): Promise<void> {
  const refused = context.refusal()
  const words = [...INSTALL, '-r', lines]
  if (refused === null) return runInstaller(context, entry, own, words)
  await runInstaller(context, entry, own, [...words, '--no-index']).catch(() => {
    throw wouldInstall(entry, context, refused)
  })
}

const wouldInstall = (entry: Entry, context: InstallContext, refused: string): Error => {
  const names = entry.requirements.length > 0 ? entry.requirements : context.basePackages()
  return unavailable(`${names.join(', ')} would have to be installed. ${refused}`)
}

/** Updates an environment of an earlier start or of an earlier version of the app. */
async function bringUpToDate(
  above: AbovePackaged,
  own: Place,
  { seal, wish, folder, lines }: Kept,
): Promise<void> {
  const { context, entry, place } = above
  if (seal.interpreter !== wish.interpreter || !existsSync(own.python)) {
    tell(entry, 'The app is somewhere else than before; the environment follows it.')
    await makeAbovePackaged(context, entry, { packaged: place, folder })
  }
  await removeSettings(folder)
  if (seal.lock !== wish.lock) await install(above, own, lines)
}

interface Kept {
  readonly seal: Seal
  readonly wish: Seal
  readonly folder: string
  readonly lines: string
}

/**
 * Returns true if all packages are bundled with the app; the check takes a second, so its result is
 * kept while nothing changes.
 */
async function comesAlong(
  { context, entry, below, wanted }: AbovePackaged,
  lines: string,
  wish: Seal,
): Promise<boolean> {
  const file = path.join(context.sealsFolder, `${entry.id}-comes-along.json`)
  const known = JSON.stringify([wish.python, wish.lock, wanted, context.basePackages()])
  if ((await readFile(file, 'utf8').catch(() => '')) === known) return true
  const does = await isSatisfied(context, entry, below, lines)
  if (does) await writeFile(file, known)
  return does
}

/**
 * Ensures an environment on top of the Python bundled with the app. If the app bundles everything
 * that is required, nothing is created.
 */
export async function ensureAbovePackaged(
  above: AbovePackaged,
  again: boolean,
): Promise<ReadyEnvironment> {
  const { context, entry, python, place, wanted, below } = above
  const folder = path.join(context.folder, entry.id)
  const own: Place = { ...place, python: programIn(folder) }
  const ready: ReadyEnvironment = { id: entry.id, ...own }
  const sealFile = path.join(context.sealsFolder, `${entry.id}.json`)
  const lines = path.join(context.folder, `${entry.id}.txt`)
  const { lock } = python.packaged
  const wish = {
    folder,
    python: minorOf(python.version),
    packages: [...wanted],
    lock,
    interpreter: python.path,
  }
  const seal = await readSeal(sealFile)
  for (const needed of [context.folder, context.sealsFolder])
    await mkdir(needed, { recursive: true })
  await writeFile(lines, `${wanted.join('\n')}\n`)
  if (
    !again &&
    seal &&
    seal.folder === folder &&
    seal.python === wish.python &&
    isSame(seal.packages, wish.packages)
  ) {
    await bringUpToDate(above, own, { seal, wish, folder, lines })
  } else if (await comesAlong(above, lines, wish)) {
    tell(entry, 'Everything asked for comes with the app.')
    return below
  } else {
    const refused = context.refusal()
    if (refused !== null) throw wouldInstall(entry, context, refused)
    beginInstalling(context, entry)
    await rm(sealFile, { force: true })
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await makeAbovePackaged(context, entry, { packaged: place, folder })
    if (below.python !== python.path)
      await linkBase(
        entry,
        { base: path.join(context.folder, below.id), own: folder },
        python.version,
      )
    await install(above, own, lines)
  }
  await writeFile(sealFile, JSON.stringify(wish))
  return ready
}

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

/** What an environment was made of. */
const sealSchema = z.object({
  folder: z.string(),
  /** First two parts of the version; what was installed fits no other one. */
  python: z.string(),
  packages: z.array(z.string()),
  /** Versions of the packages below it. */
  lock: z.string(),
  /**
   * Where the interpreter was: an AppImage is somewhere else at each start, and an upgrade may move
   * the app as well.
   */
  interpreter: z.string(),
})
type Seal = z.output<typeof sealSchema>

export interface AbovePackaged {
  readonly context: InstallContext
  readonly entry: Entry
  readonly python: Python & { readonly packaged: PackagedPython }
  /** The packaged interpreter as programs are started with it. */
  readonly place: Place
  /** What every plugin of the environment finds. */
  readonly wanted: readonly string[]
  /**
   * What lies below it: the packaged interpreter itself, or an environment of other base packages.
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

/** Installs on top of what is there; only what is missing is fetched. */
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

/** Brings an environment of an earlier start or of an earlier version of the app up to date. */
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
 * Whether everything comes with the app already; asking takes a second, so the answer is kept for
 * as long as nothing changes.
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
 * An environment on top of the Python that comes with the app. Where the app brings everything
 * along that is asked for, there is nothing to make.
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

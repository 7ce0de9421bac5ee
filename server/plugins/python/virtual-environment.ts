import { lstat, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runInstaller, tell, type Entry, type InstallContext, type Place } from './run-installer.ts'

const isWindows = process.platform === 'win32'
const programs = (folder: string): string => path.join(folder, isWindows ? 'Scripts' : 'bin')

/** The interpreter of a virtual environment. */
export const programIn = (folder: string): string =>
  path.join(programs(folder), isWindows ? 'python.exe' : 'python')

/** First two parts of a version; packages of one fit no other. */
export const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.')

/** Where the packages of a virtual environment lie. Asking its interpreter would run their code. */
const packagesIn = (folder: string, version: string): string =>
  isWindows
    ? path.join(folder, 'Lib', 'site-packages')
    : path.join(folder, 'lib', `python${minorOf(version)}`, 'site-packages')

export interface Above {
  /** The interpreter that comes with the app, and its packages with it. */
  readonly packaged: Place
  readonly folder: string
}

/**
 * Removes links of an earlier start, which may lead nowhere and are not replaced otherwise.
 * Packages may have changed what lies here.
 */
async function removeLinks(folder: string): Promise<void> {
  const isFolder = await lstat(programs(folder)).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isWindows || !isFolder) return
  const links = (await readdir(programs(folder))).filter((each) => /^python[\d.]*$/.test(each))
  for (const name of links)
    await rm(path.join(programs(folder), name), { force: true, recursive: true })
}

/**
 * Makes an environment that sees the packages of the app, or leads one that is there to where the
 * app is now.
 */
export async function makeAbovePackaged(
  context: InstallContext,
  entry: Entry,
  { packaged, folder }: Above,
): Promise<void> {
  await removeLinks(folder)
  await runInstaller(context, entry, packaged, [
    '-m',
    'venv',
    '--without-pip',
    '--system-site-packages',
    folder,
  ])
}

/**
 * Settings of the installer a package may have brought along for its environment are not followed.
 */
export async function removeSettings(folder: string): Promise<void> {
  await rm(path.join(folder, isWindows ? 'pip.ini' : 'pip.conf'), { force: true, recursive: true })
}

/** Packages of the environment `base` are seen by the one above it, and those of its own win. */
export async function linkBase(
  entry: Entry,
  folders: { base: string; own: string },
  version: string,
): Promise<void> {
  const below = packagesIn(folders.base, version)
  await writeFile(path.join(packagesIn(folders.own, version), 'base.pth'), `${below}\n`)
  tell(entry, `Packages of the base are in ${below}`)
}

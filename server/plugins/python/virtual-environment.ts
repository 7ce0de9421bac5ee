import { lstat, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runInstaller, tell, type Entry, type InstallContext, type Place } from './run-installer.ts'

const isWindows = process.platform === 'win32'
const programs = (folder: string): string => path.join(folder, isWindows ? 'Scripts' : 'bin')

/** Returns the interpreter of a virtual environment. */
export const programIn = (folder: string): string =>
  path.join(programs(folder), isWindows ? 'python.exe' : 'python')

/** Returns major and minor version; packages of one fit no other. */
export const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.')

/**
 * Returns the package folder of a virtual environment. Querying its interpreter would run the
 * packages' code.
 */
const packagesIn = (folder: string, version: string): string =>
  isWindows
    ? path.join(folder, 'Lib', 'site-packages')
    : path.join(folder, 'lib', `python${minorOf(version)}`, 'site-packages')

export interface Above {
  /** The interpreter bundled with the app, with its packages. */
  readonly packaged: Place
  readonly folder: string
}

/**
 * Removes links of an earlier start, which may be broken and are not replaced otherwise. Packages
 * may have changed this folder.
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
 * Creates an environment that sees the packages of the app, or updates an existing one to the
 * current path of the app.
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

/** Deletes installer settings that a package may have added to its environment. */
export async function removeSettings(folder: string): Promise<void> {
  await rm(path.join(folder, isWindows ? 'pip.ini' : 'pip.conf'), { force: true, recursive: true })
}

/**
 * Makes packages of the environment `base` visible to the one above it, whose own take precedence.
 */
export async function linkBase(
  entry: Entry,
  folders: { base: string; own: string },
  version: string,
): Promise<void> {
  const below = packagesIn(folders.base, version)
  await writeFile(path.join(packagesIn(folders.own, version), 'base.pth'), `${below}\n`)
  tell(entry, `Packages of the base are in ${below}`)
}

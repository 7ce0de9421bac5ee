import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unavailable } from '../../lib/errors.ts'
import { runProgram } from '../worker/start-process.ts'
import { ASKING } from './find-python.ts'
import { runInstaller, tell, type Entry, type InstallContext, type Place } from './run-installer.ts'

const isWindows = process.platform === 'win32'
const programs = (folder: string): string => path.join(folder, isWindows ? 'Scripts' : 'bin')

/** The interpreter of a virtual environment. */
export const programIn = (folder: string): string => path.join(programs(folder), isWindows ? 'python.exe' : 'python')

export interface Above {
  /** The interpreter that comes with the app, and its packages with it. */
  readonly packaged: Place
  readonly folder: string
}

/** Makes an environment that sees the packages of the app, or leads one that is there to where the app is now. */
export async function makeAbovePackaged(context: InstallContext, entry: Entry, { packaged, folder }: Above): Promise<void> {
  // Links of an earlier start may lead nowhere, and are not replaced otherwise.
  const links = isWindows ? [] : await readdir(programs(folder)).catch(() => [])
  for (const name of links.filter((each) => /^python[\d.]*$/.test(each))) await rm(path.join(programs(folder), name))
  await runInstaller(context, entry, packaged, ['-m', 'venv', '--without-pip', '--system-site-packages', folder])
}

/** Packages of the base are seen by the environments above it, and those of their own win. */
export async function linkBase(
  { folder, closing }: InstallContext,
  entry: Entry,
  { python, searchPath }: Place,
  base: string,
): Promise<void> {
  const asked = 'import sysconfig; print(sysconfig.get_path("purelib"))'
  const said: string[] = []
  for (const command of [base, python]) {
    const options = { command, arguments: [...ASKING, '-c', asked], folder, environment: { PATH: searchPath } }
    await runProgram(options, (line) => void said.push(line), closing)
  }
  const [below, own] = said
  if (!below || !own) throw unavailable('The environment does not say where its packages are. Install it again.')
  await writeFile(path.join(own, 'base.pth'), `${below}\n`)
  tell(entry, `Packages of the base are in ${below}`)
}

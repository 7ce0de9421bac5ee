import { createHash } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BASE_PACKAGES } from '../../../server/settings/base-packages.ts'
import { capture, root } from '../run-step.ts'
import { interpreterIn, PYTHON_VERSION, releaseFor, type Target } from './targets.ts'
import { libraryIn } from './trim.ts'

/**
 * Returns the lock file of a platform: the packages available to every plugin, each with its
 * version and the hashes of its wheels.
 */
export const lockFile = ({ platform, arch }: Target): string =>
  path.join(root, `resources/python/${platform}-${arch}.lock`)

const ALWAYS = [
  '--only-binary',
  ':all:',
  '--require-hashes',
  '--no-deps',
  '--no-compile',
  '--no-warn-script-location',
]

/**
 * Runs Python isolated from the user's packages and settings; leaves no compiled files in the
 * package.
 */
export async function runPython(python: string, args: readonly string[]): Promise<string> {
  const { code, output } = await capture(python, ['-I', '-B', ...args])
  if (code !== 0) throw new Error(`${python} ${args.join(' ')} failed: ${output}`)
  return output.trim()
}

async function install(python: string, target: Target, args: readonly string[]): Promise<void> {
  const quiet = ['--disable-pip-version-check', '--no-input', '--quiet']
  await runPython(python, [
    '-m',
    'pip',
    'install',
    ...quiet,
    ...ALWAYS,
    ...args,
    '-r',
    lockFile(target),
  ])
}

/** Installs the packages into a distribution for this machine's own platform and architecture. */
export const installNatively = (folder: string, target: Target): Promise<void> =>
  install(interpreterIn(folder, target), target, [])

/**
 * Installs the packages into a distribution that cannot run here, using an interpreter that can.
 */
export async function installForeign(folder: string, target: Target, host: string): Promise<void> {
  const { wheelPlatforms } = releaseFor(target)
  const place = path.join(await libraryIn(folder, target), 'site-packages')
  const minor = PYTHON_VERSION.split('.').slice(0, 2)
  const tags = [
    '--implementation',
    'cp',
    '--python-version',
    minor.join('.'),
    '--abi',
    `cp${minor.join('')}`,
    '--abi',
    'abi3',
    '--abi',
    'none',
  ]
  await install(host, target, [
    '--target',
    place,
    '--upgrade',
    ...tags,
    ...wheelPlatforms.flatMap((each) => ['--platform', each]),
  ])
}

/**
 * Compiles all modules beside their sources with an interpreter of the same version: the location
 * of the package is read-only, and if workers could write compiled files to a shared place, code
 * written by one could be run by the others. The compiled files are used unconditionally,
 * regardless of file times.
 */
export async function compileModules(folder: string, python: string): Promise<void> {
  const words = [
    '-m',
    'compileall',
    '-q',
    '-j',
    '0',
    '--invalidation-mode',
    'unchecked-hash',
    '-s',
    folder,
  ]
  await runPython(python, [...words, folder])
}

/**
 * Adds a note on the licences, and for the gateway a list of the distribution's contents
 * (server/plugins/python/packaged-python.ts).
 */
export async function describeContents(folder: string, target: Target): Promise<void> {
  await copyFile(path.join(root, 'resources/python/LICENCES.md'), path.join(folder, 'LICENCES.md'))
  const lock = createHash('sha256')
    .update(await readFile(lockFile(target)))
    .digest('hex')
  await writeFile(
    path.join(folder, 'packages.json'),
    `${JSON.stringify({ packages: BASE_PACKAGES, lock }, null, 2)}\n`,
  )
}

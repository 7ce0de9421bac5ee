import { lstat, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Target } from './targets.ts'

/**
 * Parts of the standard library for Tk windows, for tests and for embedding. Everything virtual
 * environments need stays.
 */
const SURPLUS_MODULES = ['test', 'idlelib', 'tkinter', 'turtledemo', 'turtle.py', 'lib2to3/tests']
const SURPLUS_LIBRARIES = /^(_tkinter|_test|_ctypes_test|_xx|xxlimited)/
const SURPLUS_FILES = /^(lib)?(tcl|tk|itcl|thread)\d|^pkgconfig$|\.a$/

const remove = (file: string): Promise<void> => rm(file, { recursive: true, force: true })

async function removeFrom(folder: string, isSurplus: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter(isSurplus).map((name) => remove(path.join(folder, name))))
}

/** Resolves with the folder of the standard library. */
export async function libraryIn(folder: string, { platform }: Target): Promise<string> {
  if (platform === 'win32') return path.join(folder, 'Lib')
  const name = (await readdir(path.join(folder, 'lib'))).find((each) => /^python3\.\d+$/.test(each))
  if (name === undefined) throw new Error(`${folder} holds no Python.`)
  return path.join(folder, 'lib', name)
}

/**
 * Removes programs that contain the path of their installation folder, and compiled modules that
 * contain it.
 */
export async function removeTraces(folder: string, { platform }: Target): Promise<void> {
  if (platform === 'win32') await remove(path.join(folder, 'Scripts'))
  else await removeFrom(path.join(folder, 'bin'), (name) => !/^python(3(\.\d+)?)?$/.test(name))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const caches = entries.filter((entry) => entry.isDirectory() && entry.name === '__pycache__')
  await Promise.all(caches.map((entry) => remove(path.join(entry.parentPath, entry.name))))
}

/** Removes the parts of a distribution that no plugin needs. */
export async function trim(folder: string, target: Target): Promise<void> {
  const library = await libraryIn(folder, target)
  await Promise.all(SURPLUS_MODULES.map((name) => remove(path.join(library, name))))
  if (target.platform === 'win32') {
    await removeFrom(
      path.join(folder, 'DLLs'),
      (name) => SURPLUS_LIBRARIES.test(name) || SURPLUS_FILES.test(name),
    )
    await remove(path.join(folder, 'tcl'))
  } else {
    await removeFrom(path.join(library, 'lib-dynload'), (name) => SURPLUS_LIBRARIES.test(name))
    await removeFrom(path.join(folder, 'lib'), (name) => SURPLUS_FILES.test(name))
    await removeFrom(library, (name) => name.startsWith('config-'))
    await remove(path.join(folder, 'share'))
  }
  await removeTraces(folder, target)
}

/**
 * Removes the library for embedding if the interpreter runs without it; resolves with true if it
 * did.
 */
export async function trimEmbedding(
  folder: string,
  starts: () => Promise<boolean>,
): Promise<boolean> {
  const names = await readdir(path.join(folder, 'lib')).catch(() => [])
  const libraries = names
    .filter((name) => /^libpython3.*\.so/.test(name))
    .map((name) => path.join(folder, 'lib', name))
  if (libraries.length === 0) return false
  const away = (file: string): string => `${file}.away`
  for (const file of libraries) await rename(file, away(file))
  const isNeeded = !(await starts())
  for (const file of libraries) await (isNeeded ? rename(away(file), file) : remove(away(file)))
  return !isNeeded
}

/** Resolves with the total bytes of all files in a folder. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries.map(async (entry) =>
      entry.isFile() ? (await lstat(path.join(entry.parentPath, entry.name))).size : 0,
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

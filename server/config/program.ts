import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The installed program: its folder and version, read from the nearest package.json above this
 * module.
 */
export interface Program {
  readonly folder: string
  readonly version: string
}

/**
 * Works from the sources, from the bundle and from inside the packaged app, which differ in depth
 * only.
 */
export function readProgram(): Program {
  let folder = import.meta.dirname
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder)
    folder = path.dirname(folder)
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  return { folder, version }
}

/** Returns the folder of the built UI, or null before it was built. */
export function findInterface(program: Program): string | null {
  const folder = path.join(program.folder, 'out', 'renderer')
  return existsSync(path.join(folder, 'index.html')) ? folder : null
}

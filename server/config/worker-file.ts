import path from 'node:path'
import { readProgram } from './program.ts'

/** True if the code runs from the bundle, false if it runs from the sources. */
export const isBundled = import.meta.filename.endsWith('.js')

/**
 * Returns a file that runs in another thread or process: the TypeScript file of this name in
 * `folder` if run from the sources; once bundled, a separate file beside the server's entry.
 */
export const workerFile = (folder: string, name: string): string =>
  isBundled
    ? path.join(readProgram().folder, 'out', 'server', `${name}.js`)
    : path.join(folder, `${name}.ts`)

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from '#contract/lazy-zod.ts'

/**
 * The Python that comes with the packaged app. The folder can be another one at each start, and
 * nobody may write into it.
 */
export interface PackagedPython {
  readonly interpreter: string
  /** What every plugin finds in it, as it was asked for. */
  readonly packages: readonly string[]
  /** Changes with the versions of these packages. */
  readonly lock: string
}

/** Written when the app is packed (resources/scripts/python). */
const manifestSchema = z.object({ packages: z.array(z.string()), lock: z.string() })

/**
 * Reads what is in the folder the app names; in words what is wrong with it when it cannot be used.
 */
export async function readPackagedPython(folder: string): Promise<PackagedPython | string> {
  const program = process.platform === 'win32' ? 'python.exe' : path.join('bin', 'python3')
  try {
    const manifest = manifestSchema.parse(
      JSON.parse(await readFile(path.join(folder, 'packages.json'), 'utf8')),
    )
    return { interpreter: path.join(folder, program), ...manifest }
  } catch {
    return `the Python of the app in ${folder} is not complete`
  }
}

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from '#contract/lazy-zod.ts'

/**
 * The Python bundled with the packaged app. Its path may change at each start, and it is read-only.
 */
export interface PackagedPython {
  readonly interpreter: string
  /** Its packages available to every plugin, as requirements. */
  readonly packages: readonly string[]
  /** Changes with the versions of these packages. */
  readonly lock: string
}

/** Written when the app is packaged (resources/scripts/python). */
const manifestSchema = z.object({ packages: z.array(z.string()), lock: z.string() })

/** Reads the contents of the app's folder; returns an error message if it is unusable. */
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

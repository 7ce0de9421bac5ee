import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { packagedPython } from './packaged-python.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Prepared by `npm test` for the tests of the host. */
const PREPARED = path.join(root, 'out/plugin-host-python/bin/python')

const SUITS = 'import pydantic, sys; assert sys.version_info[:2] in ((3, 11), (3, 12), (3, 13))'

/**
 * Returns the path of a Python with pydantic, as reported by itself: a name in the PATH may resolve
 * differently in the reduced environment of plugins. Null if it is unsuitable.
 */
function locate(python: string): string | null {
  try {
    const output = execFileSync(python, ['-I', '-c', `${SUITS}; print(sys.executable)`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.trim()
  } catch {
    return null
  }
}

function findPython(candidates: readonly string[]): string | null {
  for (const candidate of candidates) {
    const place = locate(candidate)
    if (place !== null) return place
  }
  return null
}

/** The packed Python is for users who cannot read the Python that the prepared one is based on. */
const CANDIDATES = [
  PREPARED,
  ...(packagedPython ? [path.join(packagedPython, 'bin/python3')] : []),
].filter(existsSync)

/** A Python with the host's dependencies; null if there is none on this machine. */
export const pluginPython: string | null = findPython([...CANDIDATES, 'python3'])

/** Environment of a gateway whose plugins run with it, without installing anything. */
export const pluginEnvironment: Readonly<Record<string, string>> = {
  PLUGIN_PYTHON: pluginPython ?? '',
  ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS: 'false',
  PATH: process.env['PATH'] ?? '',
}

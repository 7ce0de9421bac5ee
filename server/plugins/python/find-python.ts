import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { readLoginPath } from '../../lib/login-path.ts'
import { runProgram } from '../worker/start-process.ts'

/** An interpreter plugins can run with. */
export interface Python {
  readonly path: string
  readonly version: string
}

/** What was found, or in words what is missing. */
export type PythonSearch = { readonly python: Python; readonly searchPath: string } | { readonly missing: string }

export interface FindPythonOptions {
  /** The setting `PLUGIN_PYTHON`; empty to search. */
  readonly wanted: string
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
}

const LEAST_MINOR = 11
const MOST_MINOR = 13
const PATIENCE_MILLISECONDS = 10_000
const NAMES = process.platform === 'win32' ? ['python.exe'] : ['python3.12', 'python3.13', 'python3.11', 'python3']
const ASKED = 'import sys; print("%d.%d.%d" % sys.version_info[:3])'

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function askVersion(file: string, folder: string): Promise<string | null> {
  let said = ''
  const environment = { PATH: path.dirname(file), LANG: 'C.UTF-8' }
  const options = { command: file, arguments: ['-I', '-c', ASKED], folder, environment }
  const code = await runProgram(options, (line) => (said += line), AbortSignal.timeout(PATIENCE_MILLISECONDS)).catch(() => -1)
  return code === 0 && /^\d+\.\d+\.\d+$/.test(said) ? said : null
}

function isSuitable(version: string): boolean {
  const [major, minor] = version.split('.').map(Number)
  return major === 3 && minor! >= LEAST_MINOR && minor! <= MOST_MINOR
}

/** Beside the bundle in the packaged app. */
const packagedInterpreter = (): string => {
  const program = process.platform === 'win32' ? 'python.exe' : path.join('bin', 'python3')
  return path.join(path.dirname(process.execPath), 'resources', 'python', program)
}

const WHAT_TO_DO = `Install Python 3.${LEAST_MINOR} to 3.${MOST_MINOR}, or name one in PLUGIN_PYTHON, and start the gateway again.`

/** Finds the interpreter of the setting, else the packaged one, else one of the login shell's search path. */
export async function findPython({ wanted, environment, folder }: FindPythonOptions): Promise<PythonSearch> {
  const searchPath = await readLoginPath(environment)
  const folders = searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))
  const named = wanted === '' || path.isAbsolute(wanted) ? [wanted] : folders.map((each) => path.join(each, wanted))
  const candidates =
    wanted === '' ? [packagedInterpreter(), ...NAMES.flatMap((name) => folders.map((each) => path.join(each, name)))] : named
  const unsuitable: string[] = []
  for (const candidate of candidates) {
    if (!(await isProgram(candidate))) continue
    const version = await askVersion(candidate, folder)
    if (version !== null && isSuitable(version)) return { python: { path: candidate, version }, searchPath }
    unsuitable.push(version === null ? `${candidate} did not answer` : `${candidate} is version ${version}`)
  }
  const found = unsuitable.length > 0 ? `Found, but not suitable: ${unsuitable.join('; ')}.` : ''
  const searched = wanted === '' ? `Searched: ${folders.join(', ')}.` : `PLUGIN_PYTHON names ${wanted}.`
  return { missing: [`Plugins need Python, which is not there. ${searched}`, found, WHAT_TO_DO].filter(Boolean).join(' ') }
}

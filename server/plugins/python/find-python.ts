import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { runProgram } from '../worker/start-process.ts'
import { readPackagedPython, type PackagedPython } from './packaged-python.ts'

/** An interpreter that plugins can run with. */
export interface Python {
  readonly path: string
  readonly version: string
  /**
   * The program itself, if `path` is a link, a virtual environment or a script that leads to it.
   */
  readonly launcher: string
  /** Set if it is the one bundled with the app. */
  readonly packaged: PackagedPython | null
}

/** Result of the search, with a remark for administrators, or an error message. */
export type PythonSearch =
  | { readonly python: Python; readonly searchPath: string; readonly remark: string | null }
  | { readonly missing: string }

export interface FindPythonOptions {
  /** The setting `PLUGIN_PYTHON`; empty to search. */
  readonly wanted: string
  /** Folder of the Python bundled with the app; null if there is none. */
  readonly packagedFolder: string | null
  /** Search path for programs. */
  readonly searchPath: string
  /** Working folder of started programs. */
  readonly folder: string
}

const LEAST_MINOR = 11
const MOST_MINOR = 13
const PATIENCE_MILLISECONDS = 10_000
const NAMES =
  process.platform === 'win32'
    ? ['python.exe']
    : ['python3.12', 'python3.13', 'python3.11', 'python3']
const ASKED =
  'import os, sys; print("%d.%d.%d" % sys.version_info[:3]); print(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))'
const VERSIONS = `3.${LEAST_MINOR} to 3.${MOST_MINOR}`

/**
 * Arguments for querying Python: without user settings, and without leaving compiled modules beside
 * its own.
 */
export const ASKING = ['-I', '-B']

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

interface Examined {
  readonly version: string
  readonly launcher: string
}

async function ask(file: string, folder: string): Promise<Examined | null> {
  const said: string[] = []
  const environment = { PATH: path.dirname(file), LANG: 'C.UTF-8' }
  const options = { command: file, arguments: [...ASKING, '-c', ASKED], folder, environment }
  const code = await runProgram(
    options,
    (line) => void said.push(line),
    AbortSignal.timeout(PATIENCE_MILLISECONDS),
  ).catch(() => -1)
  const [version = '', launcher = file] = said
  return code === 0 && /^\d+\.\d+\.\d+$/.test(version) ? { version, launcher } : null
}

function isSuitable(version: string): boolean {
  const [major, minor] = version.split('.').map(Number)
  return major === 3 && minor! >= LEAST_MINOR && minor! <= MOST_MINOR
}

/** Returns the version of an interpreter, or an error message; null if there is none. */
async function examine(
  file: string,
  folder: string,
): Promise<Examined | { unsuitable: string } | null> {
  if (!(await isProgram(file))) return null
  const asked = await ask(file, folder)
  if (asked === null) return { unsuitable: `${file} did not answer` }
  return isSuitable(asked.version) ? asked : { unsuitable: `${file} is version ${asked.version}` }
}

/** Checks the app's Python; returns an error message if it is unusable. */
async function examinePackaged(packagedFolder: string, folder: string): Promise<Python | string> {
  const packaged = await readPackagedPython(packagedFolder)
  if (typeof packaged === 'string') return packaged
  const examined = await examine(packaged.interpreter, folder)
  if (examined === null) return `the Python of the app in ${packagedFolder} is not complete`
  return 'unsuitable' in examined
    ? examined.unsuitable
    : { ...examined, path: packaged.interpreter, packaged }
}

const INSTALL_AGAIN = 'Install the app again.'

/** Returns advice for a user without a suitable Python. */
function whatToDo(wanted: string, packagedFolder: string | null): string {
  if (wanted !== '')
    return `Let PLUGIN_PYTHON name a Python ${VERSIONS}, or remove it, and start the gateway again.`
  if (packagedFolder !== null) return INSTALL_AGAIN
  return `Install Python ${VERSIONS}, or name one in PLUGIN_PYTHON, and start the gateway again.`
}

/** Finds the interpreter of the setting, else the packaged one, else one of the search path. */
export async function findPython({
  wanted,
  packagedFolder,
  searchPath,
  folder,
}: FindPythonOptions): Promise<PythonSearch> {
  const unsuitable: string[] = []
  if (wanted === '' && packagedFolder !== null) {
    const python = await examinePackaged(packagedFolder, folder)
    if (typeof python !== 'string') return { python, searchPath, remark: null }
    unsuitable.push(python)
  }
  const folders = searchPath.split(path.delimiter).filter((each) => path.isAbsolute(each))
  const everywhere = (names: readonly string[]): string[] =>
    names.flatMap((name) => folders.map((each) => path.join(each, name)))
  const candidates =
    wanted === '' ? everywhere(NAMES) : path.isAbsolute(wanted) ? [wanted] : everywhere([wanted])
  for (const candidate of candidates) {
    const examined = await examine(candidate, folder)
    if (examined === null) continue
    if ('version' in examined) {
      const remark =
        unsuitable[0] !== undefined && packagedFolder !== null
          ? `Plugins run with ${candidate}, because ${unsuitable[0]}. ${INSTALL_AGAIN}`
          : null
      return { python: { ...examined, path: candidate, packaged: null }, searchPath, remark }
    }
    unsuitable.push(examined.unsuitable)
  }
  const found = unsuitable.length > 0 ? `Found, but not suitable: ${unsuitable.join('; ')}.` : ''
  const searched =
    wanted === '' ? `Searched: ${folders.join(', ')}.` : `PLUGIN_PYTHON names ${wanted}.`
  const parts = [
    `Plugins need Python, which is not there. ${searched}`,
    found,
    whatToDo(wanted, packagedFolder),
  ]
  return { missing: parts.filter(Boolean).join(' ') }
}

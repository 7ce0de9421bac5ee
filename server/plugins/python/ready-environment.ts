import type { Logger } from '../../lib/logger.ts'
import type { ProgramWatch } from '../../outgoing/index.ts'
import type { PythonSearch } from './find-python.ts'

/** An environment in which workers can be started. */
export interface ReadyEnvironment {
  readonly id: string
  /** The interpreter of the environment. */
  readonly python: string
  /**
   * The underlying interpreter, which creates the sandbox before the environment's packages run.
   */
  readonly launcher: string
  /** Search path of its programs. */
  readonly searchPath: string
}

export interface EnvironmentsOptions {
  readonly folder: string
  /**
   * Folder with the records of how environments were made. Plugins and installers may not write
   * there, so that an environment is trusted only if it was made inside the sandbox.
   */
  readonly sealsFolder: string
  /** Folder in which each installer gets a dedicated folder for its lifetime. */
  readonly temporaryFolder: string
  /** Folders no installer may read, except its own and those of the environments. */
  readonly closed: readonly string[]
  readonly findPython: () => Promise<PythonSearch>
  readonly basePackages: () => readonly string[]
  /** Returns null, or an error message if nothing may be installed. */
  readonly refusal: () => string | null
  /** Variables passed to the installer besides the search path, such as proxies. */
  readonly variables: Readonly<Record<string, string>>
  /** Prepares the list of the installer's connections; null if they are not listed. */
  readonly watch: (command: string) => ProgramWatch | null
  readonly log: Logger
}

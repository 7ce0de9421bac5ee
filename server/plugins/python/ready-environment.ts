import type { Logger } from '../../lib/logger.ts'
import type { PythonSearch } from './find-python.ts'

/** An environment workers can be started in. */
export interface ReadyEnvironment {
  readonly id: string
  /** The interpreter of the environment. */
  readonly python: string
  /** The one below it, which builds the fence before the environment's packages run. */
  readonly launcher: string
  /** Where its programs look for others. */
  readonly searchPath: string
}

export interface EnvironmentsOptions {
  readonly folder: string
  /**
   * Where it is kept what environments were made of. No plugin and no installer may write there, so
   * that an environment is trusted only when it was made inside the fence.
   */
  readonly sealsFolder: string
  /** Where each installer gets a folder of its own for as long as it runs. */
  readonly temporaryFolder: string
  /** Folders no installer may read, but for its own and those of the environments. */
  readonly closed: readonly string[]
  readonly findPython: () => Promise<PythonSearch>
  readonly basePackages: () => readonly string[]
  /** Null, or in words why nothing may be installed. */
  readonly refusal: () => string | null
  /** What the installer may see besides the search path, such as proxies. */
  readonly variables: Readonly<Record<string, string>>
  readonly log: Logger
}

import type { PluginEnvironment } from '#contract/plugins.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PythonSearch } from './find-python.ts'
import { idOf, installEnvironment } from './install-environment.ts'
import { tell, type Entry, type InstallContext } from './run-installer.ts'

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

/** The environments plugins are run in: one of the base packages, and one above it for each set of requirements. */
export interface Environments {
  /** Installs what is missing, one after the other; 503 with what to do when that is impossible, or with what the installer said. */
  ensure(requirements: readonly string[]): Promise<ReadyEnvironment>
  /** Installs an environment again from nothing; null when there is none with this id. */
  reinstall(id: string): Promise<ReadyEnvironment> | null
  describe(): PluginEnvironment[]
  close(): void
}

export interface EnvironmentsOptions {
  readonly folder: string
  /**
   * Where it is kept what environments were made of. No plugin and no installer may write there, so that an environment is trusted
   * only when it was made inside the fence.
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

export function createEnvironments(options: EnvironmentsOptions): Environments {
  const { log } = options
  const entries = new Map<string, Entry>()
  const closing = new AbortController()
  let queue: Promise<unknown> = Promise.resolve()

  function entryFor(requirements: readonly string[]): Entry {
    const id = idOf(requirements)
    const known = entries.get(id)
    if (known) return known
    const entry: Entry = { id, requirements, status: 'waiting', detail: null, lines: [], ready: null }
    entries.set(id, entry)
    return entry
  }

  const context: InstallContext = { ...options, closing: closing.signal, ensureBase: () => attempt(entryFor([])) }

  async function attempt(entry: Entry, again = false): Promise<ReadyEnvironment> {
    try {
      const ready = await installEnvironment(context, entry, again)
      Object.assign(entry, { status: 'ready', detail: null })
      return ready
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      // The next call tries again, as the network may be back.
      Object.assign(entry, { status: 'failed', detail, ready: null })
      tell(entry, detail)
      log.warn({ error, environment: entry.id }, 'an environment of plugins could not be installed')
      throw error
    }
  }

  /** One after the other, so that two plugins never install the same thing at once. */
  function enqueue(work: () => Promise<ReadyEnvironment>): Promise<ReadyEnvironment> {
    const result = queue.then(work)
    queue = result.catch(() => null)
    return result
  }

  return {
    ensure(requirements) {
      const entry = entryFor(requirements)
      entry.ready ??= enqueue(() => attempt(entry))
      return entry.ready
    },
    reinstall(id) {
      const entry = entries.get(id)
      if (!entry) return null
      entry.status = 'waiting'
      entry.ready = enqueue(() => attempt(entry, true))
      return entry.ready
    },
    describe: () =>
      [...entries.values()].map(({ id, requirements, status, detail, lines }) => ({
        id,
        requirements: [...requirements],
        status,
        detail,
        log: [...lines],
      })),
    close: () => closing.abort(),
  }
}

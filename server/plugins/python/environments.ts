import type { PluginEnvironment } from '#contract/plugins.ts'
import { unavailable } from '../../lib/errors.ts'
import { untilAborted } from '../../lib/until-aborted.ts'
import { idOf, installEnvironment } from './install-environment.ts'
import { tell, type Entry, type InstallContext } from './run-installer.ts'
import type { ReadyEnvironment, EnvironmentsOptions } from './ready-environment.ts'

const STOPPED = 'The installation was stopped.'

const describe = ({ id, requirements, status, detail, lines }: Entry): PluginEnvironment => ({
  id,
  requirements: [...requirements],
  status,
  detail,
  log: [...lines],
})

/**
 * The environments plugins are run in: one of the base packages, and one above it for each set of
 * requirements.
 */
export class Environments {
  readonly #options: EnvironmentsOptions
  readonly #entries = new Map<string, Entry>()
  readonly #closing = new AbortController()
  #queue: Promise<unknown> = Promise.resolve()
  readonly #context: InstallContext

  constructor(options: EnvironmentsOptions) {
    this.#options = options
    this.#context = {
      ...options,
      closing: this.#closing.signal,
      ensureBase: () => this.#ensureBase(),
    }
  }

  /**
   * Installs what is missing, one after the other; 503 with what to do when that is impossible, or
   * with what the installer said.
   */
  ensure(requirements: readonly string[]): Promise<ReadyEnvironment> {
    return this.#ensure(this.#entryFor(requirements))
  }

  /** As `ensure`, without waiting. */
  install(requirements: readonly string[]): PluginEnvironment {
    const entry = this.#entryFor(requirements)
    // How it went is told of the environment.
    this.#ensure(entry).catch(() => null)
    return describe(entry)
  }

  /**
   * Ends what is under way for an environment; false when nothing is, or others than one wait for
   * it and it is not meant for them.
   */
  stop(id: string, { evenForOthers }: { readonly evenForOthers: boolean }): boolean {
    const entry = this.#entries.get(id)
    if (!entry?.stopping || entry.status === 'ready' || entry.status === 'failed') return false
    if (entry.waiting > 1 && !evenForOthers) return false
    Object.assign(entry, { status: 'failed', detail: STOPPED, ready: null })
    tell(entry, STOPPED)
    entry.stopping.abort(unavailable(STOPPED))
    return true
  }

  /** Ends whatever is under way. */
  stopAll(): void {
    for (const id of this.#entries.keys()) this.stop(id, { evenForOthers: true })
  }

  /** Installs an environment again from nothing; null when there is none with this id. */
  reinstall(id: string): Promise<ReadyEnvironment> | null {
    const entry = this.#entries.get(id)
    return entry ? this.#begin(entry, true) : null
  }

  describe(): PluginEnvironment[] {
    return [...this.#entries.values()].map(describe)
  }

  close(): void {
    this.#closing.abort()
  }

  #entryFor(requirements: readonly string[]): Entry {
    const id = idOf(requirements)
    const known = this.#entries.get(id)
    if (known) return known
    const entry: Entry = {
      id,
      requirements,
      status: 'waiting',
      detail: null,
      lines: [],
      ready: null,
      stopping: null,
      waiting: 0,
    }
    this.#entries.set(id, entry)
    return entry
  }

  /** In the turn of the environment above it. */
  #ensureBase(): Promise<ReadyEnvironment> {
    const base = this.#entryFor([])
    if (base.stopping?.signal.aborted) base.stopping = null
    return this.#attempt(base)
  }

  async #attempt(entry: Entry, again = false): Promise<ReadyEnvironment> {
    const { stopping } = entry
    try {
      stopping?.signal.throwIfAborted()
      const ready = await installEnvironment(this.#context, entry, again)
      Object.assign(entry, { status: 'ready', detail: null })
      return ready
    } catch (error) {
      // Whoever stopped it was told, and may have begun anew.
      if (stopping?.signal.aborted) throw error
      const detail = error instanceof Error ? error.message : String(error)
      // The next call tries again, as the network may be back.
      Object.assign(entry, { status: 'failed', detail, ready: null })
      tell(entry, detail)
      this.#options.log.warn(
        { error, environment: entry.id },
        'an environment of plugins could not be installed',
      )
      throw error
    }
  }

  /** One after the other, so that two plugins never install the same thing at once. */
  #begin(entry: Entry, again = false): Promise<ReadyEnvironment> {
    const stopping = new AbortController()
    Object.assign(entry, { status: 'waiting', detail: null, stopping })
    const result = this.#queue.then(() => this.#attempt(entry, again))
    this.#queue = result.catch(() => null)
    entry.ready = untilAborted(result, stopping.signal)
    return entry.ready
  }

  #ensure(entry: Entry): Promise<ReadyEnvironment> {
    const ready = entry.ready ?? this.#begin(entry)
    if (entry.status !== 'ready') {
      entry.waiting += 1
      void ready.catch(() => null).finally(() => (entry.waiting -= 1))
    }
    return ready
  }
}

import type { PluginEnvironment } from '#contract/plugins.ts'
import { unavailable } from '../../lib/errors.ts'
import { untilAborted } from '../../lib/timing/until-aborted.ts'
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
 * Environments of plugins: one of the base packages, and one on top of it for each set of
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
   * Installs the missing packages, one installation after the other; throws 503 with advice if that
   * is impossible, or with the installer's message.
   */
  ensure(requirements: readonly string[]): Promise<ReadyEnvironment> {
    return this.#ensure(this.#entryFor(requirements))
  }

  /** Like `ensure`, without waiting. */
  install(requirements: readonly string[]): PluginEnvironment {
    const entry = this.#entryFor(requirements)
    // The environment's state reports the result.
    this.#ensure(entry).catch(() => null)
    return describe(entry)
  }

  /**
   * Cancels the current installation of an environment; returns false if there is none, or if
   * others are waiting for it and `evenForOthers` is false.
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

  /** Cancels all current installations. */
  stopAll(): void {
    for (const id of this.#entries.keys()) this.stop(id, { evenForOthers: true })
  }

  /** Reinstalls an environment from scratch; null if there is none with this id. */
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

  /** Runs in the turn of the environment above it. */
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
      // The user who stopped it was notified, and may have restarted it.
      if (stopping?.signal.aborted) throw error
      const detail = error instanceof Error ? error.message : String(error)
      // The next call retries, because the network may be available again.
      Object.assign(entry, { status: 'failed', detail, ready: null })
      tell(entry, detail)
      this.#options.log.warn(
        { error, environment: entry.id },
        'an environment of plugins could not be installed',
      )
      throw error
    }
  }

  /** One after the other, so that two plugins never install the same packages at once. */
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

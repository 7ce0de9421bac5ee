import { Backoff } from './backoff.ts'

/** Plugins whose code was running at a failure. */
export class Suspects {
  readonly #onHopeless: (plugin: string, reason: string) => void
  /** Plugins that have a dedicated worker. */
  readonly isolated = new Set<string>()
  readonly #backoffs = new Map<string, Backoff>()

  constructor(onHopeless: (plugin: string, reason: string) => void) {
    this.#onHopeless = onHopeless
  }

  /** Blames the plugins that were running. */
  noteCrash(running: readonly string[], reason: string): void {
    for (const plugin of running) {
      // Of several running plugins at least one is innocent; isolation shows which.
      const isCertain = this.isolated.has(plugin) || running.length === 1
      this.isolated.add(plugin)
      if (isCertain && this.#backoffOf(plugin).crashed(performance.now())) {
        this.#onHopeless(
          plugin,
          `It made its process end five times within a minute, the last time because ${reason}.`,
        )
      }
    }
  }

  /** Returns the milliseconds until a plugin may run again. */
  pause(plugin: string): number {
    return this.#backoffOf(plugin).pause(performance.now())
  }

  /** Allows an immediate restart of a plugin. */
  forgive(plugin: string): void {
    this.isolated.delete(plugin)
    this.#backoffs.delete(plugin)
  }

  #backoffOf(plugin: string): Backoff {
    const known = this.#backoffs.get(plugin) ?? new Backoff()
    this.#backoffs.set(plugin, known)
    return known
  }
}

import { createBackoff, type Backoff } from './backoff.ts'

/** Plugins whose code was there when something went wrong. */
export interface Suspects {
  /** Those that have a worker of their own. */
  readonly isolated: Set<string>
  /** Blames the plugins that were running. */
  readonly noteCrash: (running: readonly string[], reason: string) => void
  /** Milliseconds until a plugin may run again. */
  readonly pause: (plugin: string) => number
  /** Lets a plugin start at once again. */
  readonly forgive: (plugin: string) => void
}

export function createSuspects(onHopeless: (plugin: string, reason: string) => void): Suspects {
  const isolated = new Set<string>()
  const backoffs = new Map<string, Backoff>()

  function backoffOf(plugin: string): Backoff {
    const known = backoffs.get(plugin) ?? createBackoff()
    backoffs.set(plugin, known)
    return known
  }

  return {
    isolated,
    noteCrash(running, reason) {
      for (const plugin of running) {
        // Of several that were running one is innocent at least; alone it shows.
        const isCertain = isolated.has(plugin) || running.length === 1
        isolated.add(plugin)
        if (isCertain && backoffOf(plugin).crashed(performance.now())) {
          onHopeless(
            plugin,
            `It made its process end five times within a minute, the last time because ${reason}.`,
          )
        }
      }
    },
    pause: (plugin) => backoffOf(plugin).pause(performance.now()),
    forgive(plugin) {
      isolated.delete(plugin)
      backoffs.delete(plugin)
    },
  }
}

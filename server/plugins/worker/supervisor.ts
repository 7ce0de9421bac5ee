import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ReadyEnvironment } from '../python/environments.ts'
import { createBackoff, type Backoff } from './backoff.ts'
import { workerFailure } from './faults.ts'
import { startWorkerProcess } from './start-process.ts'
import { createWorker, type Worker } from './worker.ts'

/** The workers of all environments. */
export interface Supervisor {
  /** A worker the plugin may run in, started when there is none. Fails while the plugin's process pauses after a crash. */
  acquire(plugin: string, environment: ReadyEnvironment): Promise<Worker>
  workers(): readonly { readonly worker: Worker; readonly environmentId: string }[]
  /** Lets a plugin start at once again. */
  forgive(plugin: string): void
  /** Ends the workers of an environment, so that the next calls start new ones. */
  restart(environmentId: string): Promise<void>
  /** Ends workers nobody has used for so many seconds. */
  endIdle(seconds: number): void
  close(): Promise<void>
}

export interface SupervisorOptions {
  readonly log: Logger
  /** What the environment of a worker is; see PROTOCOL.md. */
  readonly describeStart: (environment: ReadyEnvironment) => {
    readonly folder: string
    readonly environment: Readonly<Record<string, string>>
    readonly hello: Readonly<Record<string, unknown>>
  }
  /** A plugin crashed its worker too often to be started again. */
  readonly onHopeless: (plugin: string, reason: string) => void
}

interface Slot {
  readonly environmentId: string
  worker: Worker
}

/** Longest pause after a crash that a call waits for; beyond it the call fails and says so. */
const LONGEST_WAIT_MILLISECONDS = 2_500

/**
 * Plugins of one environment share a worker. A plugin whose code was running when the worker crashed, or that kept it waiting,
 * gets one of its own from then on, so that it hurts nobody but itself.
 */
export function createSupervisor({ log, describeStart, onHopeless }: SupervisorOptions): Supervisor {
  const slots = new Map<string, Slot>()
  /** No longer given calls, but still answering some. */
  const leaving = new Set<Slot>()
  const isolated = new Set<string>()
  const backoffs = new Map<string, Backoff>()
  let isClosed = false

  const keyOf = (plugin: string, environmentId: string): string => (isolated.has(plugin) ? `${environmentId} ${plugin}` : environmentId)

  function backoffOf(plugin: string): Backoff {
    const known = backoffs.get(plugin) ?? createBackoff()
    backoffs.set(plugin, known)
    return known
  }

  function noteCrash(running: readonly string[], reason: string): void {
    for (const plugin of running) {
      const isKnownSuspect = isolated.has(plugin) || running.length === 1
      isolated.add(plugin)
      // Of several that were running one is innocent at least; alone it shows.
      if (isKnownSuspect && backoffOf(plugin).crashed(performance.now())) {
        onHopeless(plugin, `It made its process end five times within a minute, the last time because ${reason}.`)
      }
    }
  }

  /** The plugin keeps the worker, everybody else goes to a new one. */
  function giveAway(key: string, slot: Slot, plugin: string | null): void {
    if (plugin === null || isolated.has(plugin) || slots.get(key) !== slot) return
    isolated.add(plugin)
    slots.delete(key)
    const ownKey = keyOf(plugin, slot.environmentId)
    if (slots.has(ownKey)) leaving.add(slot)
    else slots.set(ownKey, slot)
  }

  function start(key: string, environment: ReadyEnvironment): Slot {
    const { folder, environment: variables, hello } = describeStart(environment)
    const child = startWorkerProcess({
      command: environment.python,
      arguments: ['-P', '-s', '-X', 'utf8', '-m', 'plugin_host'],
      folder,
      environment: variables,
    })
    let slot: Slot
    const worker = createWorker({
      id: newId(),
      process: child,
      hello,
      log,
      events: {
        onGone(reason, running) {
          const isExpected = worker.state.status === 'stopping' || isClosed
          leaving.delete(slot)
          for (const [each, held] of slots) if (held === slot) slots.delete(each)
          if (!isExpected) noteCrash(running, reason)
        },
        onBlocked: (plugin) => giveAway(key, slot, plugin),
      },
    })
    slot = { environmentId: environment.id, worker }
    slots.set(key, slot)
    return slot
  }

  const all = (): Slot[] => [...new Set([...slots.values(), ...leaving])]

  async function retire(slot: Slot): Promise<void> {
    for (const [key, held] of slots) if (held === slot) slots.delete(key)
    leaving.add(slot)
    await slot.worker.stop()
    leaving.delete(slot)
  }

  return {
    async acquire(plugin, environment) {
      const pause = backoffOf(plugin).pause(performance.now())
      if (pause > LONGEST_WAIT_MILLISECONDS) {
        throw workerFailure('pausing', `The plugin crashed. It can be used again in ${Math.ceil(pause / 1000)} seconds.`)
      }
      if (pause > 0) await sleep(pause)
      if (isClosed) throw workerFailure('gone', 'The gateway is stopping.')
      const key = keyOf(plugin, environment.id)
      return (slots.get(key) ?? start(key, environment)).worker
    },
    workers: () => all(),
    forgive(plugin) {
      isolated.delete(plugin)
      backoffs.delete(plugin)
    },
    async restart(environmentId) {
      await Promise.all(
        all()
          .filter((slot) => slot.environmentId === environmentId)
          .map(retire),
      )
    },
    endIdle(seconds) {
      for (const slot of all()) {
        const { state } = slot.worker
        const isIdle = slot.worker.running().length === 0 && state.tasks === 0 && performance.now() - state.lastUsed > seconds * 1000
        if (isIdle) void retire(slot)
      }
    },
    async close() {
      isClosed = true
      await Promise.all(all().map(({ worker }) => worker.stop()))
    },
  }
}

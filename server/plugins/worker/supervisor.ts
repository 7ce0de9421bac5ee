import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ReadyEnvironment } from '../python/environments.ts'
import { workerFailure } from './faults.ts'
import { startWorkerProcess } from './start-process.ts'
import { createSuspects } from './suspects.ts'
import { createWorker, type Worker, type WorkerEvents } from './worker.ts'

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
    readonly mostProcesses: number
  }
  /** A plugin crashed its worker too often to be started again. */
  readonly onHopeless: (plugin: string, reason: string) => void
}

interface Slot {
  readonly environmentId: string
  readonly worker: Worker
}

/** Longest pause after a crash that a call waits for; beyond it the call fails and says so. */
const LONGEST_WAIT_MILLISECONDS = 2_500

interface StartOptions extends Pick<SupervisorOptions, 'log' | 'describeStart'> {
  readonly events: WorkerEvents
}

/** Starts a process in an environment. */
function startWorker(environment: ReadyEnvironment, { log, describeStart, events }: StartOptions): Worker {
  const { folder, environment: variables, hello, mostProcesses } = describeStart(environment)
  const child = startWorkerProcess({
    command: environment.python,
    arguments: ['-P', '-s', '-X', 'utf8', '-m', 'plugin_host'],
    folder,
    environment: variables,
  })
  return createWorker({ id: newId(), process: child, hello, mostProcesses, log, events })
}

/**
 * Plugins of one environment share a worker. A plugin whose code was running when the worker crashed, or that kept it waiting,
 * gets one of its own from then on, so that it hurts nobody but itself.
 */
export function createSupervisor({ log, describeStart, onHopeless }: SupervisorOptions): Supervisor {
  const slots = new Map<string, Slot>()
  /** No longer given calls, but still answering some. */
  const leaving = new Set<Slot>()
  const { isolated, noteCrash, pause, forgive } = createSuspects(onHopeless)
  let isClosed = false

  const keyOf = (plugin: string, environmentId: string): string => (isolated.has(plugin) ? `${environmentId} ${plugin}` : environmentId)

  /** The plugin keeps the worker, everybody else goes to a new one. */
  function giveAway(key: string, slot: Slot, plugin: string | null): void {
    if (plugin === null || isolated.has(plugin) || slots.get(key) !== slot) return
    isolated.add(plugin)
    slots.delete(key)
    const ownKey = keyOf(plugin, slot.environmentId)
    if (slots.has(ownKey)) leaving.add(slot)
    else slots.set(ownKey, slot)
  }

  function leave(slot: Slot): void {
    leaving.delete(slot)
    for (const [key, held] of slots) if (held === slot) slots.delete(key)
  }

  function start(key: string, environment: ReadyEnvironment): Slot {
    const events: WorkerEvents = {
      onGone(reason, running) {
        const isExpected = slot.worker.state.status === 'stopping' || isClosed
        leave(slot)
        if (!isExpected) noteCrash(running, reason)
      },
      onBlocked: (plugin) => giveAway(key, slot, plugin),
      onState(message) {
        for (const other of all()) if (other !== slot) other.worker.tell(message)
      },
    }
    const slot: Slot = { environmentId: environment.id, worker: startWorker(environment, { log, describeStart, events }) }
    slots.set(key, slot)
    return slot
  }

  const all = (): Slot[] => [...new Set([...slots.values(), ...leaving])]

  async function retire(slot: Slot): Promise<void> {
    leave(slot)
    leaving.add(slot)
    await slot.worker.stop()
    leaving.delete(slot)
  }

  return {
    async acquire(plugin, environment) {
      const milliseconds = pause(plugin)
      if (milliseconds > LONGEST_WAIT_MILLISECONDS) {
        throw workerFailure('pausing', `The plugin crashed. It can be used again in ${Math.ceil(milliseconds / 1000)} seconds.`)
      }
      if (milliseconds > 0) await sleep(milliseconds)
      if (isClosed) throw workerFailure('gone', 'The gateway is stopping.')
      const key = keyOf(plugin, environment.id)
      return (slots.get(key) ?? start(key, environment)).worker
    },
    workers: () => all(),
    forgive,
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

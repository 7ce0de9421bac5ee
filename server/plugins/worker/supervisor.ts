import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ReadyEnvironment } from '../python/environments.ts'
import type { TrustDomain } from '../trust-domain.ts'
import { workerFailure } from './faults.ts'
import { createMakeRoom } from './make-room.ts'
import type { MessageBounds } from './message-bounds.ts'
import { startWorkerProcess, type ProcessOptions } from './start-process.ts'
import { createSuspects } from './suspects.ts'
import { createWorker, type Worker, type WorkerEvents, type WorkerOptions } from './worker.ts'

/** Which plugin is to run, and among whose code. */
export interface WorkerPlace {
  readonly plugin: string
  readonly domain: TrustDomain
  /** Who wrote the source of a tool. Functions stay with the administrators whoever leaves. */
  readonly toolAuthor: string | null
}

/** The workers of all environments and trust domains. */
export interface Supervisor {
  /**
   * A worker the plugin may run in, started when there is none. Fails while the plugin's process
   * pauses after a crash, and when as many run already as may.
   */
  acquire(place: WorkerPlace, environment: ReadyEnvironment): Promise<Worker>
  workers(): readonly {
    readonly worker: Worker
    readonly environmentId: string
    readonly domain: TrustDomain
  }[]
  /** Lets a plugin start at once again. */
  forgive(plugin: string): void
  /** Ends the workers of an environment, so that the next calls start new ones. */
  restart(environmentId: string): Promise<void>
  /**
   * Ends the workers in which tools of somebody run who does not belong to their domain any more,
   * or to none.
   */
  expel(author: string, domain: TrustDomain | null): Promise<void>
  /** Ends workers nobody has used for so many seconds. */
  endIdle(seconds: number): void
  close(): Promise<void>
}

export interface SupervisorOptions {
  readonly log: Logger
  /** What the environment of a worker is; see PROTOCOL.md. */
  readonly describeStart: (
    environment: ReadyEnvironment,
  ) => ProcessOptions & Pick<WorkerOptions, 'mostProcesses' | 'mostThreads'>
  /** How many workers may run at once. */
  readonly mostWorkers: () => number
  /** What messages of workers may hold, as the settings say now. */
  readonly bounds: () => MessageBounds
  /** A plugin crashed its worker too often to be started again. */
  readonly onHopeless: (plugin: string, reason: string) => void
}

interface Slot {
  readonly environmentId: string
  readonly domain: TrustDomain
  readonly worker: Worker
  readonly toolAuthors: Set<string>
}

/** Longest pause after a crash that a call waits for; beyond it the call fails and says so. */
const LONGEST_WAIT_MILLISECONDS = 2_500

interface StartOptions extends Pick<SupervisorOptions, 'log' | 'describeStart' | 'bounds'> {
  readonly events: WorkerEvents
}

/** Starts a process in an environment. */
function startWorker(
  environment: ReadyEnvironment,
  { log, describeStart, bounds, events }: StartOptions,
): Worker {
  const { mostProcesses, mostThreads, ...options } = describeStart(environment)
  return createWorker({
    id: newId(),
    process: startWorkerProcess(options),
    mostProcesses,
    mostThreads,
    bounds,
    log,
    events,
  })
}

/**
 * Plugins of one environment and trust domain share a worker. A plugin whose code was running when
 * the worker crashed, or that did not stop when it was told to, gets one of its own from then on,
 * so that it hurts nobody but itself.
 */
export function createSupervisor({
  log,
  describeStart,
  mostWorkers,
  bounds,
  onHopeless,
}: SupervisorOptions): Supervisor {
  const slots = new Map<string, Slot>()
  /** No longer given calls, but still answering some. */
  const leaving = new Set<Slot>()
  const { isolated, noteCrash, pause, forgive } = createSuspects(onHopeless)
  let isClosed = false

  const keyOf = (plugin: string, environmentId: string, domain: TrustDomain): string =>
    [environmentId, domain, ...(isolated.has(plugin) ? [plugin] : [])].join(' ')

  /** What runs in the worker may go on; the plugin and everybody else are given others. */
  function giveUp(key: string, slot: Slot, plugin: string): void {
    isolated.add(plugin)
    if (slots.get(key) !== slot) return
    slots.delete(key)
    leaving.add(slot)
  }

  function leave(slot: Slot): void {
    leaving.delete(slot)
    for (const [key, held] of slots) if (held === slot) slots.delete(key)
  }

  function start(key: string, domain: TrustDomain, environment: ReadyEnvironment): Slot {
    const events: WorkerEvents = {
      onGone(reason, running) {
        const isExpected = slot.worker.state.status === 'stopping' || isClosed
        leave(slot)
        if (!isExpected) noteCrash(running, reason)
      },
      onStuck: (plugin) => giveUp(key, slot, plugin),
      onState(message) {
        // What plugins share is shared among those who trust each other.
        for (const other of all())
          if (other !== slot && other.domain === domain) other.worker.tell(message)
      },
    }
    const worker = startWorker(environment, { log, describeStart, bounds, events })
    const slot: Slot = { environmentId: environment.id, domain, worker, toolAuthors: new Set() }
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

  const retireThose = async (isMeant: (slot: Slot) => boolean): Promise<void> => {
    await Promise.all(all().filter(isMeant).map(retire))
  }
  const makeRoom = createMakeRoom({ running: all, retire, mostWorkers })

  return {
    async acquire({ plugin, domain, toolAuthor }, environment) {
      const milliseconds = pause(plugin)
      if (milliseconds > LONGEST_WAIT_MILLISECONDS) {
        throw workerFailure(
          'pausing',
          `The plugin crashed. It can be used again in ${Math.ceil(milliseconds / 1000)} seconds.`,
        )
      }
      if (milliseconds > 0) await sleep(milliseconds)
      const findKey = (): string => keyOf(plugin, environment.id, domain)
      if (!slots.has(findKey())) await makeRoom(domain, () => slots.has(findKey()))
      if (isClosed) throw workerFailure('gone', 'The gateway is stopping.')
      const key = findKey()
      const slot = slots.get(key) ?? start(key, domain, environment)
      if (toolAuthor !== null) slot.toolAuthors.add(toolAuthor)
      return slot.worker
    },
    workers: () => all(),
    forgive,
    restart: (environmentId) => retireThose((slot) => slot.environmentId === environmentId),
    expel: (author, domain) =>
      retireThose((slot) => slot.toolAuthors.has(author) && slot.domain !== domain),
    endIdle(seconds) {
      const isIdle = ({ worker }: Slot): boolean => {
        const { state } = worker
        return (
          worker.running().length === 0 &&
          state.tasks === 0 &&
          performance.now() - state.lastUsed > seconds * 1000
        )
      }
      void retireThose(isIdle)
    },
    async close() {
      isClosed = true
      await Promise.all(all().map(({ worker }) => worker.stop()))
    },
  }
}

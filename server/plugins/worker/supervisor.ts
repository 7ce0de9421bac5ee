import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ReadyEnvironment } from '../python/ready-environment.ts'
import type { TrustDomain } from '../trust-domain.ts'
import { workerFailure } from './faults.ts'
import { createMakeRoom } from './make-room.ts'
import type { MessageBounds } from './message-bounds.ts'
import { startWorkerProcess, type ProcessOptions } from './start-process.ts'
import { Suspects } from './suspects.ts'
import { Worker, type WorkerOptions } from './worker.ts'
import type { WorkerEvents } from './worker-state.ts'

/** Plugin to run, and the domain it runs in. */
export interface WorkerPlace {
  readonly plugin: string
  readonly domain: TrustDomain
  /** Author of a tool's source. Functions stay with the administrators when their author leaves. */
  readonly toolAuthor: string | null
}

/** `running` returns the labels of the plugins with running calls. */
export type DescribeStart = (
  environment: ReadyEnvironment,
  running: () => readonly string[],
) => ProcessOptions & Pick<WorkerOptions, 'ownProcesses' | 'mostProcesses' | 'mostThreads'>

export interface SupervisorOptions {
  readonly log: Logger
  /** Describes the environment of a worker; see PROTOCOL.md. */
  readonly describeStart: DescribeStart
  /** Returns the maximum number of concurrent workers. */
  readonly mostWorkers: () => number
  /** Returns the limits of worker messages, from the current settings. */
  readonly bounds: () => MessageBounds
  /** Called when a plugin crashed its worker too often to be restarted. */
  readonly onHopeless: (plugin: string, reason: string) => void
}

interface Slot {
  readonly environmentId: string
  readonly domain: TrustDomain
  readonly worker: Worker
  readonly toolAuthors: Set<string>
}

/**
 * Maximum pause after a crash that a call waits for; beyond it the call fails with a message about
 * it.
 */
const LONGEST_WAIT_MILLISECONDS = 2_500

/**
 * Workers of all environments and trust domains. Plugins of one environment and trust domain share
 * a worker. A plugin whose code was running when the worker crashed, or that did not stop when
 * requested, gets a dedicated worker from then on, so that it affects no others.
 */
export class Supervisor {
  readonly #log: Logger
  readonly #describeStart: DescribeStart
  readonly #bounds: () => MessageBounds
  readonly #slots = new Map<string, Slot>()
  /** Workers that get no new calls, but still have running ones. */
  readonly #leaving = new Set<Slot>()
  /** Plugins that may have caused a crash. */
  readonly suspects: Suspects
  #isClosed = false
  readonly #makeRoom

  constructor({ log, describeStart, mostWorkers, bounds, onHopeless }: SupervisorOptions) {
    this.#log = log
    this.#describeStart = describeStart
    this.#bounds = bounds
    this.suspects = new Suspects(onHopeless)
    this.#makeRoom = createMakeRoom({
      running: () => this.#all(),
      retire: (slot) => this.#retire(slot),
      mostWorkers,
    })
  }

  /**
   * Returns a worker the plugin may run in, started if there is none. Fails while the plugin's
   * process pauses after a crash, and if the maximum number is running already.
   */
  async acquire(
    { plugin, domain, toolAuthor }: WorkerPlace,
    environment: ReadyEnvironment,
  ): Promise<Worker> {
    const milliseconds = this.suspects.pause(plugin)
    if (milliseconds > LONGEST_WAIT_MILLISECONDS) {
      throw workerFailure(
        'pausing',
        `The plugin crashed. It can be used again in ${Math.ceil(milliseconds / 1000)} seconds.`,
      )
    }
    if (milliseconds > 0) await sleep(milliseconds)
    const findKey = (): string => this.#keyOf(plugin, environment.id, domain)
    if (!this.#slots.has(findKey())) await this.#makeRoom(domain, () => this.#slots.has(findKey()))
    if (this.#isClosed) throw workerFailure('gone', 'The gateway is stopping.')
    const key = findKey()
    const slot = this.#slots.get(key) ?? this.#start(key, domain, environment)
    if (toolAuthor !== null) slot.toolAuthors.add(toolAuthor)
    return slot.worker
  }

  workers(): readonly {
    readonly worker: Worker
    readonly environmentId: string
    readonly domain: TrustDomain
  }[] {
    return this.#all()
  }

  /** Ends the workers of an environment, so that the next calls start new ones. */
  restart(environmentId: string): Promise<void> {
    return this.#retireThose((slot) => slot.environmentId === environmentId)
  }

  /** Ends all workers immediately, including their calls. */
  restartAll(): Promise<void> {
    return this.#retireThose(() => true)
  }

  /**
   * Ends the workers that run tools of a user who no longer belongs to their domain, or to none.
   */
  expel(author: string, domain: TrustDomain | null): Promise<void> {
    return this.#retireThose((slot) => slot.toolAuthors.has(author) && slot.domain !== domain)
  }

  /** Ends workers that have not been used for the given number of seconds. */
  endIdle(seconds: number): void {
    const isIdle = ({ worker }: Slot): boolean => {
      const { state } = worker
      return (
        !worker.isInUse && state.tasks === 0 && performance.now() - state.lastUsed > seconds * 1000
      )
    }
    void this.#retireThose(isIdle)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#all().map(({ worker }) => worker.stop()))
  }

  #keyOf(plugin: string, environmentId: string, domain: TrustDomain): string {
    return [environmentId, domain, ...(this.suspects.isolated.has(plugin) ? [plugin] : [])].join(
      ' ',
    )
  }

  /** Running calls in the worker may continue; the plugin and all others get other workers. */
  #giveUp(key: string, slot: Slot, plugin: string): void {
    this.suspects.isolated.add(plugin)
    if (this.#slots.get(key) !== slot) return
    this.#slots.delete(key)
    this.#leaving.add(slot)
  }

  #leave(slot: Slot): void {
    this.#leaving.delete(slot)
    for (const [key, held] of this.#slots) if (held === slot) this.#slots.delete(key)
  }

  #start(key: string, domain: TrustDomain, environment: ReadyEnvironment): Slot {
    const events: WorkerEvents = {
      onGone: (reason, running) => {
        const isExpected = slot.worker.state.status === 'stopping' || this.#isClosed
        this.#leave(slot)
        if (!isExpected) this.suspects.noteCrash(running, reason)
      },
      onStuck: (plugin) => this.#giveUp(key, slot, plugin),
      onState: (message) => {
        // State shared by plugins is shared within one trust domain.
        for (const other of this.#all())
          if (other !== slot && other.domain === domain) other.worker.tell(message)
      },
    }
    const { ownProcesses, mostProcesses, mostThreads, ...options } = this.#describeStart(
      environment,
      () => slot.worker.running(),
    )
    const worker = new Worker({
      id: newId(),
      process: startWorkerProcess(options),
      ownProcesses,
      mostProcesses,
      mostThreads,
      bounds: this.#bounds,
      log: this.#log,
      events,
    })
    const slot: Slot = { environmentId: environment.id, domain, worker, toolAuthors: new Set() }
    this.#slots.set(key, slot)
    return slot
  }

  #all(): Slot[] {
    return [...new Set([...this.#slots.values(), ...this.#leaving])]
  }

  async #retire(slot: Slot): Promise<void> {
    this.#leave(slot)
    this.#leaving.add(slot)
    await slot.worker.stop()
    this.#leaving.delete(slot)
  }

  async #retireThose(isMeant: (slot: Slot) => boolean): Promise<void> {
    await Promise.all(
      this.#all()
        .filter(isMeant)
        .map((slot) => this.#retire(slot)),
    )
  }
}

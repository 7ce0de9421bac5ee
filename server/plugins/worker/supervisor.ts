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

/** Which plugin is to run, and among whose code. */
export interface WorkerPlace {
  readonly plugin: string
  readonly domain: TrustDomain
  /** Who wrote the source of a tool. Functions stay with the administrators whoever leaves. */
  readonly toolAuthor: string | null
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

/**
 * The workers of all environments and trust domains. Plugins of one environment and trust domain share a worker. A plugin whose code was running when the worker crashed, or that did not stop when it was told to, gets one of its own from then on, so that it hurts nobody but itself. */
export class Supervisor {
  readonly #log: Logger
  readonly #describeStart: (
    environment: ReadyEnvironment,
  ) => ProcessOptions & Pick<WorkerOptions, 'mostProcesses' | 'mostThreads'>
  readonly #bounds: () => MessageBounds
  readonly #slots = new Map<string, Slot>()
  /** No longer given calls, but still answering some. */
  readonly #leaving = new Set<Slot>()
  readonly #suspects: Suspects
  #isClosed = false
  readonly #makeRoom

  constructor({ log, describeStart, mostWorkers, bounds, onHopeless }: SupervisorOptions) {
    this.#log = log
    this.#describeStart = describeStart
    this.#bounds = bounds
    this.#suspects = new Suspects(onHopeless)
    this.#makeRoom = createMakeRoom({
      running: () => this.#all(),
      retire: (slot) => this.#retire(slot),
      mostWorkers,
    })
  }

  /**
   * A worker the plugin may run in, started when there is none. Fails while the plugin's process
   * pauses after a crash, and when as many run already as may.
   */
  async acquire(
    { plugin, domain, toolAuthor }: WorkerPlace,
    environment: ReadyEnvironment,
  ): Promise<Worker> {
    const milliseconds = this.#suspects.pause(plugin)
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

  /** Lets a plugin start at once again. */
  forgive(plugin: string): void {
    this.#suspects.forgive(plugin)
  }

  /** Ends the workers of an environment, so that the next calls start new ones. */
  restart(environmentId: string): Promise<void> {
    return this.#retireThose((slot) => slot.environmentId === environmentId)
  }

  /** Ends all workers at once, what they run included. */
  restartAll(): Promise<void> {
    return this.#retireThose(() => true)
  }

  /**
   * Ends the workers in which tools of somebody run who does not belong to their domain any more,
   * or to none.
   */
  expel(author: string, domain: TrustDomain | null): Promise<void> {
    return this.#retireThose((slot) => slot.toolAuthors.has(author) && slot.domain !== domain)
  }

  /** Ends workers nobody has used for so many seconds. */
  endIdle(seconds: number): void {
    const isIdle = ({ worker }: Slot): boolean => {
      const { state } = worker
      return (
        worker.running().length === 0 &&
        state.tasks === 0 &&
        performance.now() - state.lastUsed > seconds * 1000
      )
    }
    void this.#retireThose(isIdle)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#all().map(({ worker }) => worker.stop()))
  }

  #keyOf(plugin: string, environmentId: string, domain: TrustDomain): string {
    return [environmentId, domain, ...(this.#suspects.isolated.has(plugin) ? [plugin] : [])].join(
      ' ',
    )
  }

  /** What runs in the worker may go on; the plugin and everybody else are given others. */
  #giveUp(key: string, slot: Slot, plugin: string): void {
    this.#suspects.isolated.add(plugin)
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
        if (!isExpected) this.#suspects.noteCrash(running, reason)
      },
      onStuck: (plugin) => this.#giveUp(key, slot, plugin),
      onState: (message) => {
        // What plugins share is shared among those who trust each other.
        for (const other of this.#all())
          if (other !== slot && other.domain === domain) other.worker.tell(message)
      },
    }
    const { mostProcesses, mostThreads, ...options } = this.#describeStart(environment)
    const worker = new Worker({
      id: newId(),
      process: startWorkerProcess(options),
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

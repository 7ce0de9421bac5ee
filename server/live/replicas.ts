import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { within } from '../lib/timing/within.ts'
import type { Storage } from '../storage/index.ts'
import { ReplicaStore } from './store.ts'

const BEAT_MILLISECONDS = 1000
/**
 * Time without a sign of life after which a gateway is considered dead, by the clock of the
 * database.
 */
const DEAD_SECONDS = 6
/**
 * Interval between a gateway's own event loop turns beyond which it counts as paused; it then sends
 * nothing until it knows that the others did not consider it dead.
 */
const PAUSED_MILLISECONDS = 5500
/**
 * Time the database must have been reachable before other gateways are judged dead, because it may
 * have been unavailable to all of them.
 */
const STEADY_MILLISECONDS = 7000
const LONGEST_BEAT_MILLISECONDS = 5000
const PERIODIC = 'periodic'
/** Time after which a turn passes to the next one, because its holder may be dead. */
const TURN_SECONDS = 20
const TURN_PAUSE_MILLISECONDS = 100

type Listener = (replica: string) => Promise<void>

interface ReplicasDependencies {
  readonly storage: Storage
  readonly log: Logger
  /** Name of this gateway. */
  readonly self: string
}

/**
 * Registry of the gateways on the database: each one writes a heartbeat there every second. The
 * runs of a gateway that is gone are ended by another one; a gateway that was considered dead and
 * returns first ends its own runs.
 */
export class Replicas {
  readonly #storage: Storage
  readonly #store: ReplicaStore
  readonly #log: Logger
  readonly #self: string
  #known: ReadonlySet<string> = new Set()
  #steadySince = Infinity
  #turnAt = performance.now()
  #ledUntil = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #takeOver: Listener[] = []
  readonly #gone: ((replica: string) => void)[] = []
  readonly #come: (() => void)[] = []
  readonly #lost: (() => void)[] = []
  readonly #led: (() => void)[] = []

  constructor({ storage, log, self }: ReplicasDependencies) {
    this.#storage = storage
    this.#store = new ReplicaStore(storage)
    this.#log = log
    this.#self = self
  }

  /** Joins the others; must be awaited before any of their runs could be ended. */
  async open(): Promise<void> {
    await this.#store.add(this.#self)
    this.#known = await this.#readPresent()
    this.#turnAt = performance.now()
    this.#wait()
  }

  /** True if no other gateway was present at the last check. */
  get isAlone(): boolean {
    return this.#known.size <= 1
  }

  /** All gateways including this one, as of the last check. */
  get present(): ReadonlySet<string> {
    return this.#known
  }

  /** True if this gateway does the periodic work for all. */
  get isLeader(): boolean {
    return performance.now() < this.#ledUntil && !this.isPaused
  }

  /** True if it has just been paused, so that the others may consider it dead. */
  get isPaused(): boolean {
    return performance.now() - this.#turnAt > PAUSED_MILLISECONDS
  }

  /**
   * Registers a listener that ends the runs of a gateway that is gone, in one transaction with its
   * removal: called on only one of the others.
   */
  onTakeOver(listener: Listener): void {
    this.#takeOver.push(listener)
  }

  /** Registers a listener for gateways that are gone, regardless of which one ends their runs. */
  onGone(listener: (replica: string) => void): void {
    this.#gone.push(listener)
  }

  /**
   * Registers a listener for when a gateway is present that was not at the last check: a new one,
   * or one that was only slow.
   */
  onCome(listener: () => void): void {
    this.#come.push(listener)
  }

  /**
   * Registers a listener for when this gateway was considered dead and its runs were ended by
   * others.
   */
  onLost(listener: () => void): void {
    this.#lost.push(listener)
  }

  /** Calls back when this gateway starts doing the work that is done once for all. */
  onLead(listener: () => void): void {
    this.#led.push(listener)
  }

  /**
   * Runs work of this name on one gateway at a time, such as the use of a token that is good for
   * one use. A gateway that holds the turn for too long loses it.
   */
  async takeTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const holder = `${this.#self}/${newId()}`
    while (!(await this.#store.lease(name, holder, TURN_SECONDS)))
      await sleep(TURN_PAUSE_MILLISECONDS)
    try {
      return await work()
    } finally {
      await this.#store
        .release(holder)
        .catch((error: unknown) =>
          this.#log.debug({ error }, 'a turn could not be given back; it ends by itself'),
        )
    }
  }

  /** Leaves the others, after the last of its runs has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    try {
      await this.#store.release(this.#self)
      await this.#store.remove(this.#self)
    } catch (error) {
      this.#log.warn({ error }, 'the gateway could not announce its shutdown')
    }
  }

  #wait(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#beat(), BEAT_MILLISECONDS).unref()
  }

  async #beat(): Promise<void> {
    const wasPaused = this.isPaused
    // After a pause, this gateway stays silent until it knows what the others did meanwhile.
    if (!wasPaused) this.#turnAt = performance.now()
    const turns = setInterval(() => {
      if (!this.isPaused) this.#turnAt = performance.now()
    }, BEAT_MILLISECONDS).unref()
    try {
      await within(this.#look(), LONGEST_BEAT_MILLISECONDS)
      this.#turnAt = performance.now()
    } catch (error) {
      this.#steadySince = Infinity
      // The database is unavailable, which affects the others too; only a pause concerns this
      // process alone.
      if (!wasPaused) this.#turnAt = performance.now()
      this.#log.debug({ error }, 'the gateway could not say that it is there')
    } finally {
      clearInterval(turns)
    }
    this.#wait()
  }

  async #look(): Promise<void> {
    if (!(await this.#store.note(this.#self))) await this.#comeBack()
    const began = performance.now()
    if (await this.#store.lease(PERIODIC, this.#self, DEAD_SECONDS)) {
      const isNew = began >= this.#ledUntil
      this.#ledUntil = began + DEAD_SECONDS * 1000
      if (isNew) for (const listener of this.#led) listener()
    }
    this.#steadySince = Math.min(this.#steadySince, began)
    const isSteady = began - this.#steadySince >= STEADY_MILLISECONDS
    if (isSteady) await this.#endSilent()
    const known = this.#known
    // After an outage of the database, the others had no chance yet to write there again.
    const present = await this.#readPresent(isSteady ? new Set() : known)
    this.#known = present
    for (const id of known) if (!present.has(id)) for (const listener of this.#gone) listener(id)
    if ([...present].some((id) => !known.has(id))) for (const listener of this.#come) listener()
  }

  async #comeBack(): Promise<void> {
    this.#log.warn('other gateways considered this one dead; it ends its runs')
    for (const listener of this.#lost) listener()
    this.#ledUntil = 0
    await this.#store.add(this.#self)
  }

  async #endSilent(): Promise<void> {
    for (const { id, age } of await this.#store.ages())
      if (id !== this.#self && age > DEAD_SECONDS) await this.#end(id)
  }

  async #end(id: string): Promise<void> {
    const isTaken = await this.#storage.transaction(async () => {
      if (!(await this.#store.removeSilent(id, DEAD_SECONDS))) return false
      for (const listener of this.#takeOver) await listener(id)
      return true
    })
    if (isTaken) this.#log.warn({ replica: id }, 'another gateway is gone; its runs were ended')
  }

  /** Gateways in `excused` count as present although they are silent. */
  async #readPresent(excused: ReadonlySet<string> = new Set()): Promise<ReadonlySet<string>> {
    const ages = await this.#store.ages()
    return new Set([
      this.#self,
      ...ages.filter(({ id, age }) => age <= DEAD_SECONDS || excused.has(id)).map(({ id }) => id),
    ])
  }
}

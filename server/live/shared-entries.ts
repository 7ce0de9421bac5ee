import { within } from '../lib/timing/within.ts'
import type { Line } from './line.ts'
import type { Live } from './live.ts'

/** Time after which an entry that does not come back from Redis is counted without it. */
const LONGEST_WAIT_MILLISECONDS = 1000

/** Messages of gateways about their entries. */
interface Said<Entry> {
  /** Complete list; replaces all earlier messages. */
  readonly all?: readonly (readonly [string, Entry])[]
  readonly put?: readonly [string, Entry]
  readonly remove?: string
  /** Request for all entries, by a gateway that missed messages. */
  readonly ask?: true
}

/** Entry of another gateway. */
export interface OthersEntry<Entry> {
  readonly replica: string
  readonly entry: Entry
}

/**
 * Short entries by their ids, such as the open windows of users; each is kept by one gateway and
 * known to all, in memory, so that lookups need no wait. Entries missed while Redis is unavailable
 * are sent again.
 */
export class SharedEntries<Entry> {
  readonly #line: Line
  readonly #topic: string
  readonly #own = new Map<string, Entry>()
  readonly #others = new Map<string, Map<string, Entry>>()
  readonly #listeners: (() => void)[] = []
  /** Called when an entry of this gateway has come back from Redis. */
  readonly #places = new Map<string, () => void>()
  readonly #self: string

  constructor({ line, replicas, self }: Live, topic: string) {
    this.#line = line
    this.#self = self
    this.#topic = topic
    const exchange = (): void => this.#tellAll(true)
    line.onUp(exchange)
    // Another gateway may have forgotten the entries here, or this one those of a gateway that was
    // only slow.
    replicas.onLost(exchange)
    replicas.onCome(exchange)
    replicas.onGone((replica) => this.#forget(replica))
  }

  /** Starts receiving the entries of others; must be awaited before the gateway serves requests. */
  async open(): Promise<void> {
    const take = (said: unknown, from: string): void => this.#take(said as Said<Entry>, from)
    await this.#line.hear(this.#topic, take, { hearsItself: true })
    this.#tellAll(true)
  }

  put(id: string, entry: Entry): void {
    this.#own.set(id, entry)
    this.#tell({ put: [id, entry] })
  }

  /** Like `put`; resolves once the other gateways have been sent the entry, within a second. */
  async introduce(id: string, entry: Entry): Promise<void> {
    this.#own.set(id, entry)
    await this.#line.deliver(this.#topic, { put: [id, entry] } satisfies Said<Entry>)
  }

  /**
   * Like `introduce`; resolves with the number of entries before this one that count. All gateways
   * get entries in the same order, so that of simultaneous ones each has its own number.
   */
  async takePlace(id: string, entry: Entry, counts: (entry: Entry) => boolean): Promise<number> {
    const { promise: place, resolve } = Promise.withResolvers<number>()
    const count = (): number => this.#countBefore(id, counts)
    this.#places.set(id, () => resolve(count()))
    await this.introduce(id, entry)
    // While Redis is away nothing comes back, and only known entries can be counted.
    const found = this.#line.isUp ? within(place, LONGEST_WAIT_MILLISECONDS) : Promise.reject()
    return found.catch(count).finally(() => this.#places.delete(id))
  }

  remove(id: string): void {
    if (this.#own.delete(id)) this.#tell({ remove: id })
  }

  /** Returns the entry of another gateway with this id. */
  find(id: string): OthersEntry<Entry> | null {
    for (const [replica, entries] of this.#others) {
      const entry = entries.get(id)
      if (entry !== undefined) return { replica, entry }
    }
    return null
  }

  /** Yields all entries of other gateways. */
  *others(): Generator<OthersEntry<Entry> & { readonly id: string }> {
    for (const [replica, entries] of this.#others)
      for (const [id, entry] of entries) yield { replica, id, entry }
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  #countBefore(id: string, counts: (entry: Entry) => boolean): number {
    let count = 0
    for (const { entry } of this.others()) if (counts(entry)) count += 1
    for (const [own, entry] of this.#own) {
      if (own === id) break
      if (counts(entry)) count += 1
    }
    return count
  }

  /** Deletes the entries of a gateway that is gone. */
  #forget(replica: string): void {
    if (this.#others.delete(replica)) this.#changed()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  #tell(said: Said<Entry>): void {
    this.#line.tell(this.#topic, said)
  }

  #tellAll(isAsking: boolean): void {
    this.#tell({ all: [...this.#own], ...(isAsking && { ask: true }) })
  }

  #take({ all, put, remove, ask }: Said<Entry>, from: string): void {
    if (from === this.#self) {
      if (put) this.#places.get(put[0])?.()
      return
    }
    if (all) this.#others.set(from, new Map(all))
    const entries = this.#others.get(from) ?? new Map<string, Entry>()
    this.#others.set(from, entries)
    if (put) entries.set(...(put as [string, Entry]))
    if (remove !== undefined) entries.delete(remove)
    this.#changed()
    if (ask) this.#tellAll(false)
  }
}

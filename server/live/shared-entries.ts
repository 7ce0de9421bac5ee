import type { Line } from './line.ts'
import type { Live } from './live.ts'

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

  constructor({ line, replicas }: Live, topic: string) {
    this.#line = line
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
    await this.#line.hear(this.#topic, (said, from) => this.#take(said as Said<Entry>, from))
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
    if (all) this.#others.set(from, new Map(all))
    const entries = this.#others.get(from) ?? new Map<string, Entry>()
    this.#others.set(from, entries)
    if (put) entries.set(...(put as [string, Entry]))
    if (remove !== undefined) entries.delete(remove)
    this.#changed()
    if (ask) this.#tellAll(false)
  }
}

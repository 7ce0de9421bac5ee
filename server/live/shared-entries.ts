import type { Line } from './line.ts'

/** What gateways say about their entries. */
interface Said<Entry> {
  /** All there are; what was said before is over. */
  readonly all?: readonly (readonly [string, Entry])[]
  readonly put?: readonly [string, Entry]
  readonly remove?: string
  /** Somebody who heard nothing for a time asks for all. */
  readonly ask?: true
}

/** An entry of another gateway. */
export interface OthersEntry<Entry> {
  readonly replica: string
  readonly entry: Entry
}

/**
 * Short entries by their ids, such as who has a window open, each of which one gateway keeps and all
 * know: from memory, so that nobody waits. What is missed while Redis is away is told anew.
 */
export class SharedEntries<Entry> {
  readonly #line: Line
  readonly #topic: string
  readonly #own = new Map<string, Entry>()
  readonly #others = new Map<string, Map<string, Entry>>()
  readonly #listeners: (() => void)[] = []

  constructor(line: Line, topic: string) {
    this.#line = line
    this.#topic = topic
    line.onUp(() => this.#tellAll(true))
  }

  /** Hears of those of others; to be awaited before the gateway serves. */
  async open(): Promise<void> {
    await this.#line.hear(this.#topic, (said, from) => this.#take(said as Said<Entry>, from))
    this.#tellAll(true)
  }

  put(id: string, entry: Entry): void {
    this.#own.set(id, entry)
    this.#tell({ put: [id, entry] })
  }

  remove(id: string): void {
    if (this.#own.delete(id)) this.#tell({ remove: id })
  }

  /** The entry of another gateway with this id. */
  find(id: string): OthersEntry<Entry> | null {
    for (const [replica, entries] of this.#others) {
      const entry = entries.get(id)
      if (entry !== undefined) return { replica, entry }
    }
    return null
  }

  /** All of other gateways. */
  *others(): Generator<OthersEntry<Entry> & { readonly id: string }> {
    for (const [replica, entries] of this.#others)
      for (const [id, entry] of entries) yield { replica, id, entry }
  }

  /** Forgets those of a gateway that is gone. */
  forget(replica: string): void {
    if (this.#others.delete(replica)) this.#changed()
  }

  /** Tells all of its own again, as to others that had taken this gateway for dead. */
  tellAgain(): void {
    this.#tellAll(true)
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
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

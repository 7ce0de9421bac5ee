import type { CallEntry } from './record-call.ts'

/** Emptied places at the front that are worth moving all others for. */
const MOST_EMPTY = 1024

/** The calls that are kept, oldest first. An array, since every call is added to one end and leaves at the other. */
export class RecentCalls {
  #places: (CallEntry | null)[] = []
  #first = 0

  get size(): number {
    return this.#places.length - this.#first
  }

  add(entry: CallEntry): void {
    this.#places.push(entry)
  }

  /** Only while there is one. */
  takeOldest(): CallEntry {
    const oldest = this.#places[this.#first]!
    this.#places[this.#first] = null
    this.#first += 1
    if (this.#first >= MOST_EMPTY) {
      this.#places = this.list()
      this.#first = 0
    }
    return oldest
  }

  find(id: string): CallEntry | undefined {
    return this.list().find((entry) => entry.id === id)
  }

  list(): CallEntry[] {
    return this.#places.slice(this.#first) as CallEntry[]
  }

  clear(): void {
    this.#places = []
    this.#first = 0
  }
}

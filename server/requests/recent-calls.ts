import type { CallEntry } from './record-call.ts'

/** Number of empty places at the front at which the array is compacted. */
const MOST_EMPTY = 1024
/** Maximum number of characters of all stored bodies; beyond it the oldest calls are removed. */
const MOST_KEPT = 32 * 1024 * 1024

const weigh = ({ bodies, notes }: CallEntry): number =>
  (bodies?.request?.text.length ?? 0) + (bodies?.response.text.length ?? 0) + notes.size

/**
 * The recorded calls, oldest first. An array, because every call is added at one end and removed at
 * the other.
 */
export class RecentCalls {
  #places: (CallEntry | null)[] = []
  #first = 0
  #most = 0
  #kept = 0

  /** Sets the maximum number of recorded calls. */
  limit(most: number): void {
    this.#most = most
    this.#trim()
  }

  add(entry: CallEntry): void {
    this.#places.push(entry)
    this.#kept += weigh(entry)
    if (entry.bodies) entry.notes.onGrowth = (characters) => this.#grow(characters)
    this.#trim()
  }

  find(id: string): CallEntry | undefined {
    return this.list().find((entry) => entry.id === id)
  }

  list(): CallEntry[] {
    return this.#places.slice(this.#first) as CallEntry[]
  }

  clear(): void {
    for (const { notes } of this.list()) notes.onGrowth = null
    this.#places = []
    this.#first = 0
    this.#kept = 0
  }

  #size(): number {
    return this.#places.length - this.#first
  }

  #grow(characters: number): void {
    this.#kept += characters
    this.#trim()
  }

  #trim(): void {
    while (this.#size() > this.#most || (this.#kept > MOST_KEPT && this.#size() > 0))
      this.#dropOldest()
  }

  #dropOldest(): void {
    const oldest = this.#places[this.#first]!
    oldest.notes.onGrowth = null
    this.#kept -= weigh(oldest)
    this.#places[this.#first] = null
    this.#first += 1
    if (this.#first >= MOST_EMPTY) {
      this.#places = this.list()
      this.#first = 0
    }
  }
}

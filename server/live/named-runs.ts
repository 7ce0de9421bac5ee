import type { Live } from './live.ts'
import { SharedEntries } from './shared-entries.ts'

/** A run, by a name that is unique among the runs of its user. */
export interface NamedRun {
  readonly userId: string
  readonly name: string
}

const keyOf = ({ userId, name }: NamedRun): string => JSON.stringify([userId, name])

/** Runs that their users may stop by name, whichever gateway the call reaches. */
export class NamedRuns {
  readonly #live: Live | null
  readonly #topic: string
  readonly #running = new Map<string, () => void>()
  readonly #shared: SharedEntries<true> | null

  constructor(live: Live | null, topic: string) {
    this.#live = live
    this.#topic = topic
    this.#shared = live && new SharedEntries<true>(live, topic)
  }

  /**
   * Starts receiving the runs of other gateways; must be awaited before the gateway serves
   * requests.
   */
  async open(): Promise<void> {
    if (!this.#live) return
    const { line, self } = this.#live
    await line.hear(this.#placeOf(self), (key) => this.#running.get(String(key))?.())
    await this.#shared?.open()
  }

  has(run: NamedRun): boolean {
    const key = keyOf(run)
    return this.#running.has(key) || (this.#shared?.find(key) ?? null) !== null
  }

  begin(run: NamedRun, stop: () => void): void {
    const key = keyOf(run)
    this.#running.set(key, stop)
    this.#shared?.put(key, true)
  }

  end(run: NamedRun): void {
    const key = keyOf(run)
    this.#running.delete(key)
    this.#shared?.remove(key)
  }

  /** Returns true if there is such a run. */
  stop(run: NamedRun): boolean {
    const key = keyOf(run)
    const stop = this.#running.get(key)
    if (stop) {
      stop()
      return true
    }
    const found = this.#shared?.find(key)
    if (!found) return false
    this.#live!.line.tell(this.#placeOf(found.replica), key)
    return true
  }

  #placeOf(replica: string): string {
    return `${this.#topic}:stop:${replica}`
  }
}

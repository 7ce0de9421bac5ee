import { SharedEntries, type Live } from '../../live/index.ts'
import type { EngineState } from '../embedding/engine-state.ts'

type Progress = NonNullable<EngineState['reindex']>

const STOP = 'reindex-stop'
const ONLY = 'progress'

/** Tracks the reindexing progress of other gateways on the database, and stops them. */
export class OthersReindex {
  readonly #live: Live
  readonly #entries: SharedEntries<Progress>

  constructor(live: Live) {
    this.#live = live
    this.#entries = new SharedEntries(live, 'reindex')
  }

  get isLeader(): boolean {
    return this.#live.replicas.isLeader
  }

  /** Starts listening; to be awaited before the gateway serves. */
  async open(on: { readonly progress: () => void; readonly stop: () => void }): Promise<void> {
    this.#entries.onChange(on.progress)
    await this.#live.line.hear(STOP, on.stop)
    await this.#entries.open()
  }

  /** Calls back when this gateway starts doing the work that is done once for all. */
  onLead(listener: () => void): void {
    this.#live.replicas.onLead(listener)
  }

  /** Reports the progress of this gateway to the others; null if it has nothing to do. */
  tell(progress: Progress | null): void {
    if (progress === null) this.#entries.remove(ONLY)
    else this.#entries.put(ONLY, progress)
  }

  find(): Progress | null {
    return this.#entries.find(ONLY)?.entry ?? null
  }

  stop(): void {
    this.#live.line.tell(STOP, null)
  }
}

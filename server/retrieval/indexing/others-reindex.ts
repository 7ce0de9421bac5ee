import { SharedEntries, type Live } from '../../live/index.ts'
import type { EngineState } from '../embedding/engine-state.ts'

type Progress = NonNullable<EngineState['reindex']>

const STOP = 'reindex-stop'
const ONLY = 'progress'

/** How far other gateways on the database are with indexing again, and how it is stopped there. */
export class OthersReindex {
  readonly #live: Live
  readonly #entries: SharedEntries<Progress>

  constructor(live: Live) {
    this.#live = live
    this.#entries = new SharedEntries(live.line, 'reindex')
    live.replicas.onGone((replica) => this.#entries.forget(replica))
    live.replicas.onLost(() => this.#entries.tellAgain())
  }

  get isLeader(): boolean {
    return this.#live.replicas.isLeader
  }

  /** Hears of it; to be awaited before the gateway serves. */
  async open(on: { readonly progress: () => void; readonly stop: () => void }): Promise<void> {
    this.#entries.onChange(on.progress)
    await this.#live.line.hear(STOP, on.stop)
    await this.#entries.open()
  }

  /** Calls back when this gateway does from now on what is done once for all. */
  onLead(listener: () => void): void {
    this.#live.replicas.onLead(listener)
  }

  /** Tells the others how far this one is; null when it has nothing to do. */
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

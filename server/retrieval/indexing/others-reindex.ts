import { SharedEntries, type Line, type Live, type Replicas } from '../../live/index.ts'
import type { EngineState } from '../embedding/engine-state.ts'

type Progress = NonNullable<EngineState['reindex']>

const STOP = 'reindex-stop'
const ONLY = 'progress'

/** Tracks the reindexing progress of other gateways on the database, and stops them. */
export class OthersReindex {
  readonly replicas: Replicas
  readonly #line: Line
  readonly #entries: SharedEntries<Progress>

  constructor(live: Live) {
    this.replicas = live.replicas
    this.#line = live.line
    this.#entries = new SharedEntries(live, 'reindex')
  }

  /** Starts listening; to be awaited before the gateway serves. */
  async open(on: { readonly progress: () => void; readonly stop: () => void }): Promise<void> {
    this.#entries.onChange(on.progress)
    await this.#line.hear(STOP, on.stop)
    await this.#entries.open()
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
    this.#line.tell(STOP, null)
  }
}

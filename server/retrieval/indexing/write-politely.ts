import type { BackgroundWrites } from '../../storage/sqlite/background-writes.ts'
import type { IndexingStore } from './store.ts'

/** Maximum time for which one transaction may block other writers. */
const HOLD_MILLISECONDS = 10

/**
 * Runs transactions so short that the main thread, which shares the database, never waits long for
 * its turn.
 */
export class PoliteWriter {
  readonly #store: IndexingStore
  readonly #writes: BackgroundWrites
  readonly #pause: () => Promise<void>
  #rows = 8

  /** `pause` lets messages be received between transactions. */
  constructor(store: IndexingStore, writes: BackgroundWrites, pause: () => Promise<void>) {
    this.#store = store
    this.#writes = writes
    this.#pause = pause
  }

  /**
   * Runs `step` with a number of rows repeatedly, each time in a separate transaction, until it
   * returns false.
   */
  async run(step: (rows: number) => boolean): Promise<void> {
    for (let goesOn = true; goesOn; await this.#pause()) {
      let share = 0
      goesOn = this.#writes.run(() => {
        const begun = performance.now()
        const result = this.#store.transaction(() => step(this.#rows))
        share = (performance.now() - begun) / HOLD_MILLISECONDS
        return result
      })
      if (share > 1) this.#rows = Math.max(1, Math.floor(this.#rows / Math.min(share, 4)))
      else if (share < 0.6 && this.#rows < 1024) this.#rows += 1 + (this.#rows >> 2)
    }
  }
}

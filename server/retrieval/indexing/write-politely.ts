import type { BackgroundWrites } from '../../storage/background-writes.ts'
import type { IndexingStore } from './store.ts'

/** How long one transaction may keep everybody else from writing. */
const HOLD_MILLISECONDS = 10

/**
 * Runs transactions so short that the main thread, which shares the database, never waits long for
 * its turn.
 */
export class PoliteWriter {
  readonly #store: Pick<IndexingStore, 'transaction'>
  readonly #writes: Pick<BackgroundWrites, 'run'>
  readonly #pause: () => Promise<void>
  #rows = 8

  /** `pause` lets messages in between transactions. */
  constructor(
    store: Pick<IndexingStore, 'transaction'>,
    writes: Pick<BackgroundWrites, 'run'>,
    pause: () => Promise<void>,
  ) {
    this.#store = store
    this.#writes = writes
    this.#pause = pause
  }

  /**
   * Runs `step` with a number of rows again and again, each time in its own transaction, until it
   * answers false.
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

import { BACKGROUND, writeInTurn, type WriteTurns } from '../../storage/write-turns.ts'
import type { IndexingStore } from './store.ts'

/** How long one transaction may keep everybody else from writing. */
const HOLD_MILLISECONDS = 10

/**
 * Runs transactions so short that the main thread, which shares the database, never waits long for
 * its turn.
 */
export interface PoliteWriter {
  /**
   * Runs `step` with a number of rows again and again, each time in its own transaction, until it
   * answers false.
   */
  run(step: (rows: number) => boolean): Promise<void>
}

/** `pause` lets messages in between transactions. */
export function createPoliteWriter(
  store: Pick<IndexingStore, 'transaction'>,
  turns: WriteTurns,
  pause: () => Promise<void>,
): PoliteWriter {
  let rows = 8

  return {
    async run(step) {
      for (let goesOn = true; goesOn; await pause()) {
        let begun = 0
        goesOn = writeInTurn(turns, BACKGROUND.index, () => {
          begun = performance.now()
          return store.transaction(() => step(rows))
        })
        const share = (performance.now() - begun) / HOLD_MILLISECONDS
        if (share > 1) rows = Math.max(1, Math.floor(rows / Math.min(share, 4)))
        else if (share < 0.6 && rows < 1024) rows += 1 + (rows >> 2)
      }
    },
  }
}

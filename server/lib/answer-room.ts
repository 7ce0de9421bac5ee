import { getHeapStatistics } from 'node:v8'
import { ServiceError, unavailable } from './errors.ts'

/**
 * Longest answer that is kept in memory while it is written, in UTF-16 units: far more than any
 * model writes at a time.
 */
const MOST_OF_ONE = 32 * 1024 * 1024
/** An answer up to this length has room whatever others take. */
const ORDINARY = 1024 * 1024
/** What all of them may take together, as a part of the memory the process may use. */
const MOST_OF_ALL = Math.floor(getHeapStatistics().heap_size_limit / 8)
const FLAT_STEP = 64 * 1024
const FLAT_SHARE = 8

let taken = 0

/**
 * Room for one answer that is handed over or repeated as a whole, so that its text has to be kept
 * until then. Models that never stop and readers that never read on would fill the memory
 * otherwise.
 */
export class AnswerRoom {
  #units = 0

  /**
   * Counts what came. 502 for an answer that does not end, 503 for a long one while others take all
   * the room there is.
   */
  take(units: number): void {
    this.#units += units
    taken += units
    if (this.#units <= ORDINARY) return
    if (this.#units > MOST_OF_ONE) {
      throw new ServiceError(
        502,
        `The model wrote more than ${MOST_OF_ONE} characters, the most the gateway keeps of an answer that is not passed on piece by piece.`,
        { code: 'answer_too_long' },
      )
    }
    if (taken <= MOST_OF_ALL) return
    throw unavailable(
      'The gateway keeps too many long answers at the moment. Try again when others have ended, or ask for a shorter answer.',
      {
        code: 'answers_take_all_room',
        headers: { 'Retry-After': '5' },
      },
    )
  }

  release(): void {
    taken -= this.#units
    this.#units = 0
  }
}

/**
 * Keeps a text that grows by small pieces in one piece: as a chain of its pieces it takes ten times
 * its length. `flat` is how much of it is in one piece; answers how much is now.
 */
export function keepFlat(text: string, flat: number): number {
  if (text.length - flat < Math.max(FLAT_STEP, text.length / FLAT_SHARE)) return flat
  // Reading a text as a number makes it one piece; the comparison, which is never true, keeps that
  // from being optimized away.
  return Number(text) > Infinity ? flat : text.length
}

import { getHeapStatistics } from 'node:v8'
import { ServiceError, unavailable } from './errors.ts'

/**
 * Maximum length in UTF-16 units of an answer kept in memory while it is written: far more than any
 * model writes at a time.
 */
const MOST_OF_ONE = 32 * 1024 * 1024
/** Length up to which an answer is always accepted, regardless of the others. */
const ORDINARY = 1024 * 1024
/** Maximum total length of all answers, derived from the heap limit of the process. */
const MOST_OF_ALL = Math.floor(getHeapStatistics().heap_size_limit / 8)
const FLAT_STEP = 64 * 1024
const FLAT_SHARE = 8

let taken = 0

/**
 * Memory budget of one answer that is delivered or repeated as a whole, so that its text has to be
 * kept until then. Models that never stop and readers that never read would otherwise fill the
 * memory.
 */
export class AnswerRoom {
  #units = 0

  /**
   * Counts received text. Throws 502 for an answer that does not end, 503 for a long one while the
   * others use the whole budget.
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
 * Flattens a text that grows by small pieces: as a chain of its pieces it takes ten times its
 * length. `flat` is the length already flattened; returns the new one.
 */
export function keepFlat(text: string, flat: number): number {
  if (text.length - flat < Math.max(FLAT_STEP, text.length / FLAT_SHARE)) return flat
  // Converting a text to a number flattens it; the comparison, which is never true, prevents the
  // conversion from being optimized away.
  return Number(text) > Infinity ? flat : text.length
}

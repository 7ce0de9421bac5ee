import { isUtf8 } from 'node:buffer'
import { arePlain } from './plain-bytes.ts'

/** Smaller pieces are hardly part of a long text. */
const LEAST_BYTES = 4096

/** Positions of bytes that were found to be plain; `to` is the one after the last. */
export type PlainRange = Pick<PlainStretch, 'from' | 'to'>

export const NOTHING_PLAIN: PlainRange = { from: 0, to: 0 }

/** Returns true if bytes are UTF-8; those of a plain range are. */
export const isUtf8Outside = ({ from, to }: PlainRange, bytes: Buffer): boolean =>
  isUtf8(bytes.subarray(0, from)) && isUtf8(bytes.subarray(to))

/**
 * Longest stretch of a message that was found to be printable ASCII without quotes and backslashes,
 * such as the base64 of a picture. The pieces are checked as they arrive: while they are in the
 * cache of the processor, and while the sender writes the next one.
 */
export class PlainStretch {
  from = 0
  to = 0
  #start = 0
  #size = 0

  /** Checks the next piece of the message; returns false for one that is not plain. */
  push(piece: Buffer): boolean {
    const isFound = piece.length >= LEAST_BYTES && arePlain(piece)
    this.#size += piece.length
    if (!isFound) this.#start = this.#size
    else if (this.#size - this.#start > this.to - this.from) {
      this.from = this.#start
      this.to = this.#size
    }
    return isFound
  }
}

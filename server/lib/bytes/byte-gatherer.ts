import { takeLargeMemory } from './large-memory.ts'

/** Size up to which the pieces are only kept. */
const FEW_BYTES = 1024 * 1024
/** Buffer size for the following pieces, if the length is unknown. */
const LIKELY_BYTES = 8 * 1024 * 1024

/**
 * Joins the pieces of a long message as they arrive. Each piece is copied and released while it is
 * young; keeping all of them until the end costs a full garbage collection for every few messages.
 */
export class ByteGatherer {
  size = 0
  readonly #expected: number
  #parts: Buffer[] = []
  #target: Buffer | null = null

  /**
   * `expected` is the length declared by the sender, which is trusted once a large part has
   * arrived.
   */
  constructor(expected = 0) {
    this.#expected = expected
  }

  /**
   * Returns the memory for the next bytes, so that they are written in place instead of copied;
   * null if it is not known yet.
   */
  room(length: number): Buffer | null {
    const end = this.size + length
    return this.#target !== null && end <= this.#target.length
      ? this.#target.subarray(this.size, end)
      : null
  }

  push(piece: Buffer): void {
    const end = this.size + piece.length
    if (this.#isInPlace(piece)) this.size = end
    else this.#copy(piece, end)
  }

  #isInPlace(piece: Buffer): boolean {
    return (
      this.#target !== null &&
      piece.buffer === this.#target.buffer &&
      piece.byteOffset === this.#target.byteOffset + this.size
    )
  }

  #copy(piece: Buffer, end: number): void {
    if (this.#target === null && end <= FEW_BYTES) this.#parts.push(piece)
    else {
      if (this.#target === null || end > this.#target.length) this.#grow(end)
      piece.copy(this.#target!, this.size)
    }
    this.size = end
  }

  /** Returns all received bytes; the gatherer is empty afterwards. */
  take(): Buffer {
    const [parts, target, size] = [this.#parts, this.#target, this.size]
    this.#parts = []
    this.#target = null
    this.size = 0
    if (target !== null) return target.subarray(0, size)
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts, size)
  }

  #grow(least: number): void {
    const before = this.#target
    const room = before === null ? this.#expected || LIKELY_BYTES : before.length * 2
    this.#target = takeLargeMemory(Math.max(least, room))
    if (before !== null) before.copy(this.#target, 0, 0, this.size)
    let at = 0
    for (const part of this.#parts) at += part.copy(this.#target, at)
    this.#parts = []
  }
}

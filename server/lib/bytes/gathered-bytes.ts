const SMALLEST_BLOCK = 4 * 1024
const LARGEST_BLOCK = 1024 * 1024

/**
 * Bytes that arrive in pieces, stored in about as much memory as there are bytes: small pieces,
 * which would each take a hundred times their length, are copied into blocks that grow with the
 * total size.
 */
export class GatheredBytes {
  #blocks: Buffer[] = []
  #used = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(piece: Buffer): void {
    let from = 0
    while (from < piece.length) {
      const block = this.#blocks.at(-1)
      if (block === undefined || this.#used === block.length) this.#addBlock(piece.length - from)
      const copied = piece.copy(this.#blocks.at(-1)!, this.#used, from)
      this.#used += copied
      this.#size += copied
      from += copied
    }
  }

  #addBlock(needed: number): void {
    const share = Math.min(LARGEST_BLOCK, Math.max(SMALLEST_BLOCK, this.#size >> 3))
    this.#blocks.push(Buffer.allocUnsafeSlow(Math.max(share, needed)))
    this.#used = 0
  }

  /**
   * Joins all bytes, one block per step. Each block is released as soon as it is copied, so that
   * nothing is held twice.
   */
  *take(): Generator<void, Buffer> {
    const whole = Buffer.allocUnsafeSlow(this.#size)
    let place = 0
    for (const block of this.#blocks) {
      place += block.copy(whole, place, 0, Math.min(block.length, this.#size - place))
      ;(block.buffer as ArrayBuffer).transfer(0)
      yield
    }
    this.#blocks = []
    return whole
  }
}

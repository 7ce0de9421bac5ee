const SLOTS = 1 << 18
const MOST = 150_000

/**
 * Cache of numbers by 64 bits of a hash, in memory of a fixed size. Two stretches with the same
 * hash share the number too.
 */
export class StretchCounts {
  readonly #hashes = new Uint32Array(SLOTS)
  readonly #checks = new Int32Array(SLOTS)
  readonly #counts = new Uint16Array(SLOTS)
  #size = 0

  /** Returns 0 if it is unknown. */
  get(hash: number, check: number): number {
    return this.#counts[this.#find(hash, check)]!
  }

  set(hash: number, check: number, count: number): void {
    if (this.#size >= MOST) {
      this.#counts.fill(0)
      this.#size = 0
    }
    const slot = this.#find(hash, check)
    this.#hashes[slot] = hash
    this.#checks[slot] = check
    this.#counts[slot] = Math.min(count, 0xffff)
    this.#size += 1
  }

  /** Returns the slot that contains it, or the empty one for it. */
  #find(hash: number, check: number): number {
    let slot = hash & (SLOTS - 1)
    while (
      this.#counts[slot] !== 0 &&
      (this.#hashes[slot] !== hash || this.#checks[slot] !== check)
    )
      slot = (slot + 1) & (SLOTS - 1)
    return slot
  }
}

/**
 * Tracks which answers of one stream have a finish reason: one that started and has none is
 * incomplete.
 */
export class Endings {
  readonly #asked: number
  readonly #begun = new Set<number>()
  readonly #ended = new Set<number>()
  /** Number of answers started and not ended. */
  #open = 0

  /** `asked` is the minimum number of answers. */
  constructor(asked = 1) {
    this.#asked = asked
  }

  note(index: number, hasEnded: boolean): void {
    const among = hasEnded ? this.#ended : this.#begun
    if (among.has(index)) return
    among.add(index)
    if (hasEnded) this.#open -= Number(this.#begun.has(index))
    else this.#open += Number(!this.#ended.has(index))
  }

  areAll(): boolean {
    return this.#ended.size >= this.#asked && this.#open === 0
  }
}

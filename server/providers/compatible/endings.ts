/**
 * Which of the answers in one stream told why they ended: one that began and did not is missing its
 * rest.
 */
export class Endings {
  readonly #asked: number
  readonly #begun = new Set<number>()
  readonly #ended = new Set<number>()
  /** Begun and not ended. */
  #open = 0

  /** `asked` is how many there have to be at least. */
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

/**
 * The best of many scored ids, up to a fixed number. A class, because its arrays are filled a
 * million times per search.
 */
export class TopList {
  readonly #scores: Float64Array
  readonly #ids: Float64Array
  #size = 0

  constructor(limit: number) {
    this.#scores = new Float64Array(limit)
    this.#ids = new Float64Array(limit)
  }

  /** Score that must be exceeded for an id to be kept. */
  get floor(): number {
    return this.#size < this.#scores.length ? Number.NEGATIVE_INFINITY : this.#scores[0]!
  }

  offer(score: number, id: number): void {
    if (this.#size < this.#scores.length) {
      this.#size += 1
      this.#rise(this.#size - 1, score, id)
    } else if (score > this.#scores[0]!) this.#sink(score, id)
  }

  /** Returns the best first. */
  take(): { id: number; score: number }[] {
    return Array.from({ length: this.#size }, (_, place) => ({
      id: this.#ids[place]!,
      score: this.#scores[place]!,
    })).sort((a, b) => b.score - a.score || a.id - b.id)
  }

  #rise(from: number, score: number, id: number): void {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#scores[parent]! <= score) break
      this.#move(parent, place)
      place = parent
    }
    this.#put(place, score, id)
  }

  #sink(score: number, id: number): void {
    let place = 0
    for (;;) {
      let child = place * 2 + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#scores[child + 1]! < this.#scores[child]!) child += 1
      if (this.#scores[child]! >= score) break
      this.#move(child, place)
      place = child
    }
    this.#put(place, score, id)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#scores[from]!, this.#ids[from]!)
  }

  #put(place: number, score: number, id: number): void {
    this.#scores[place] = score
    this.#ids[place] = id
  }
}

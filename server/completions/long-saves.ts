/** For each moment a save takes, the gateway serves others for this many. */
const REST_SHARE = 9

/**
 * Writing a long text takes the event loop for some 15 ms per megabyte, and answers that grow write
 * theirs again and again. Those saves come one at a time, whichever answers they are of, with rests
 * that keep them at a tenth of the time in sum.
 */
export class LongSaves {
  readonly #waiting = new Set<() => Promise<void>>()
  #isArmed = false
  #restsUntil = 0

  /** Does a save when its turn has come; the answer says how to take it back before. */
  add(save: () => Promise<void>): () => void {
    this.#waiting.add(save)
    this.#arm()
    return () => void this.#waiting.delete(save)
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setTimeout(
      () => void this.#saveNext(),
      Math.max(0, this.#restsUntil - performance.now()),
    ).unref()
  }

  async #saveNext(): Promise<void> {
    this.#isArmed = false
    const [save] = this.#waiting
    if (!save) return
    this.#waiting.delete(save)
    const began = performance.now()
    await save()
    const ended = performance.now()
    this.#restsUntil = ended + (ended - began) * REST_SHARE
    if (this.#waiting.size > 0) this.#arm()
  }
}

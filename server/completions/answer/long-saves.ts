/**
 * Ratio of rest to saving time: for each unit of time a save takes, the gateway serves other work
 * for this many.
 */
const REST_SHARE = 9

/**
 * Schedules saves of long texts. Writing a long text blocks the event loop for about 15 ms per
 * megabyte, and growing answers are written repeatedly. These saves run one at a time across all
 * answers, with pauses that limit them to a tenth of the total time.
 */
export class LongSaves {
  readonly #waiting = new Set<() => Promise<void>>()
  #isArmed = false
  #restsUntil = 0

  /** Queues a save; returns a function that removes it from the queue. */
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

/** Time during which something may be used. Costs nothing until somebody waits for its end. */
export class Lifetime {
  #isOver = false
  #listeners: (() => void)[] = []

  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls the listener at the end; at once if it has come already. */
  onOver(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#listeners.push(listener)
  }

  /** May be called again. */
  end(): void {
    this.#isOver = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

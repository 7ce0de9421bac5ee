/**
 * Pause between two updates of a growing text; longer for long texts, because each update sends the
 * whole text.
 */
const PAUSE_MILLISECONDS = 120
const SLOWER_AFTER = 8 * 1024
const LONGEST_PAUSE = 2000

/**
 * Publishes a text at intervals while it grows, one update after the other, also if nothing more
 * arrives for a while.
 */
export class GrowingText {
  readonly #show: (text: string) => Promise<void>
  #text = ''
  #shown = 0
  #timer: NodeJS.Timeout | undefined
  #showing: Promise<void> = Promise.resolve()

  /** `show` must not reject: it handles its own errors. */
  constructor(show: (text: string) => Promise<void>) {
    this.#show = show
  }

  get length(): number {
    return this.#text.length
  }

  add(piece: string): void {
    this.#text += piece
    this.#timer ??= setTimeout(() => this.#next(), this.#pause())
  }

  /** Waits for the update in progress; no further updates follow. Resolves with the whole text. */
  async end(): Promise<string> {
    clearTimeout(this.#timer)
    await this.#showing
    clearTimeout(this.#timer)
    return this.#text
  }

  #pause(): number {
    return Math.min(LONGEST_PAUSE, PAUSE_MILLISECONDS * (1 + this.#text.length / SLOWER_AFTER))
  }

  #next(): void {
    this.#shown = this.#text.length
    this.#showing = this.#show(this.#text).then(() => {
      this.#timer =
        this.#text.length > this.#shown ? setTimeout(() => this.#next(), this.#pause()) : undefined
    })
  }
}

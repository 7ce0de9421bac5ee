/** Between two showings of a growing text; longer for long texts, as each shows all of it. */
const PAUSE_MILLISECONDS = 120
const SLOWER_AFTER = 8 * 1024
const LONGEST_PAUSE = 2000

/**
 * Shows a text every now and then while it grows, one showing after the other, also when nothing
 * more comes for a while.
 */
export class GrowingText {
  readonly #show: (text: string) => Promise<void>
  #text = ''
  #shown = 0
  #timer: NodeJS.Timeout | undefined
  #showing: Promise<void> = Promise.resolve()

  /** `show` rejects for nothing: what fails there is its own matter. */
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

  /** Waits for the showing under way; nothing is shown afterwards. Answers the whole text. */
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

/**
 * One frame of a screen: too short to be noticed, and small models generate several tokens in it.
 * Each chunk costs processor time in three processes, which the model would otherwise have.
 */
const GATHER_MILLISECONDS = 16

/** Sends the first piece of a text at once and collects the following ones for a moment. */
export class PieceBuffer {
  readonly #send: (text: string) => void
  #text = ''
  #timer: NodeJS.Timeout | null = null

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  push(text: string): void {
    if (this.#timer !== null) {
      this.#text += text
      return
    }
    this.#send(text)
    this.#timer = setTimeout(() => this.#serve(), GATHER_MILLISECONDS)
  }

  /** Sends the remaining text, at the end or before a piece of another kind. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const text = this.#text
    this.#text = ''
    if (text !== '') this.#send(text)
  }

  #serve(): void {
    this.#timer = null
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.push(text)
  }
}

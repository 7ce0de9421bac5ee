/**
 * One frame of a screen: nobody sees a pause so short, and small models make several tokens in it.
 * Each piece costs three processes some time, which the model would else have.
 */
const GATHER_MILLISECONDS = 16

/** Hands over the first piece of a text at once and gathers what follows for a moment. */
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

  /** Hands over what is left, at the end or before a piece of another kind. */
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

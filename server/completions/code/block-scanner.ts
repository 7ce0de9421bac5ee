const OPENING = '<code_interpreter'
const CLOSING = '</code_interpreter>'
const FENCE = /^\s*```[\w+-]*[^\S\n]*\n([^]*?)\n?\s*```\s*$/

/** Finds the first code block in a streamed text. */
export class BlockScanner {
  /** Code of the block, once it has ended. */
  code: string | null = null
  /** Block exactly as the model wrote it. */
  written = ''
  #held = ''
  #isInside = false

  /**
   * Reads a chunk and returns the part of it that belongs to the answer's text. A possible start of
   * a block is held back.
   */
  push(piece: string): string {
    if (this.code !== null) return ''
    this.#held += piece
    if (this.#isInside) {
      this.#look()
      return ''
    }
    const start = this.#held.indexOf(OPENING)
    if (start === -1) {
      const kept = heldBack(this.#held)
      const text = this.#held.slice(0, this.#held.length - kept)
      this.#held = this.#held.slice(this.#held.length - kept)
      return text
    }
    const text = this.#held.slice(0, start)
    this.#held = this.#held.slice(start)
    this.#isInside = true
    this.#look()
    return text
  }

  /**
   * Ends the text. An unclosed block is accepted as it is, because models stop there. Returns the
   * held-back text.
   */
  end(): string {
    const rest = this.#held
    this.#held = ''
    if (!this.#isInside || this.code !== null) return this.code === null ? rest : ''
    const body = rest.indexOf('>')
    if (body === -1) return rest
    this.#take(rest, rest.slice(body + 1))
    return ''
  }

  #look(): void {
    const end = this.#held.indexOf(CLOSING)
    if (end === -1) return
    const body = this.#held.indexOf('>') + 1
    this.#take(this.#held.slice(0, end + CLOSING.length), this.#held.slice(body, end))
  }

  #take(written: string, body: string): void {
    this.written = written
    this.code = (FENCE.exec(body)?.[1] ?? body).replace(/^\s*\n/, '').trimEnd()
  }
}

/** Returns how many characters at the end may be the start of a block. */
function heldBack(text: string): number {
  for (let length = Math.min(OPENING.length - 1, text.length); length > 0; length -= 1) {
    if (OPENING.startsWith(text.slice(-length))) return length
  }
  return 0
}

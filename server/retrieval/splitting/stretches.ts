const [SIGN, LETTER, NUMBER, SPACE, NEWLINE] = [0, 1, 2, 3, 4]

/** Maximum length of a word or run of symbols read at once. */
const LONGEST = 40

/** Returns the class of each UTF-16 unit; characters of two units count as symbols. */
function classify(): Uint8Array {
  const classes = new Uint8Array(0x1_00_00)
  for (let code = 0; code < classes.length; code += 1) {
    const character = String.fromCharCode(code)
    if (/[\p{L}\p{M}]/u.test(character)) classes[code] = LETTER
    else if (/\p{N}/u.test(character)) classes[code] = NUMBER
    else if (/[\r\n]/.test(character)) classes[code] = NEWLINE
    else if (/\s/.test(character)) classes[code] = SPACE
  }
  return classes
}

let classes: Uint8Array | undefined

/**
 * Reads stretches that approximate those of the encoding: a word with the symbol or space before
 * it, digits in threes, symbols with the line ends after them, white space. A class, because it is
 * called millions of times and allocates nothing.
 */
class StretchReader {
  /** End of the last stretch. */
  end = 0
  /** 64-bit hash of its content. */
  hash = 0
  check = 0
  readonly #classes: Uint8Array
  #text = ''

  constructor(known: Uint8Array) {
    this.#classes = known
  }

  /** Reads the stretch starting at `start`, which is inside the text. */
  read(text: string, start: number): void {
    this.#text = text
    this.end = start
    this.#findEnd(this.#at(start), start)
    let hash = 0x811c9dc5
    let check = this.end - start
    for (let place = start; place < this.end; place += 1) {
      const code = text.charCodeAt(place)
      hash = Math.imul(hash ^ code, 0x01000193)
      check = Math.imul(check, 31) + code
    }
    this.hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    this.check = check | 0
  }

  #findEnd(first: number, start: number): void {
    if (first === LETTER) return this.#pass(LETTER, start + LONGEST)
    if (first === NUMBER) return this.#pass(NUMBER, start + 3)
    if (first !== NEWLINE && this.#at(start + 1) === LETTER) {
      this.end = start + 1
      return this.#pass(LETTER, start + 1 + LONGEST)
    }
    const isBeforeSigns = this.#text[start] === ' ' && this.#at(start + 1) === SIGN
    if (first !== SIGN && !isBeforeSigns) return this.#passSpace()
    if (isBeforeSigns) this.end = start + 1
    this.#pass(SIGN, this.end + LONGEST)
    while (this.#at(this.end) === NEWLINE) this.end += 1
  }

  /** Returns -1 after the end. */
  #at(place: number): number {
    return place < this.#text.length ? this.#classes[this.#text.charCodeAt(place)]! : -1
  }

  #pass(kind: number, limit: number): void {
    while (this.end < limit && this.#at(this.end) === kind) this.end += 1
  }

  #passSpace(): void {
    while (this.#at(this.end) === SPACE || this.#at(this.end) === NEWLINE) this.end += 1
  }
}

/** Creates a reader of consecutive stretches. */
export const createStretchReader = (): StretchReader => new StretchReader((classes ??= classify()))

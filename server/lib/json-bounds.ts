import { tooLarge } from './errors.ts'
import {
  QUOTE,
  COMMA,
  OPEN_LIST,
  BACKSLASH,
  CLOSE_LIST,
  OPEN_OBJECT,
  CLOSE_OBJECT,
} from './json-bytes.ts'

/** How much structure a JSON body may have, whatever its length. */
export interface JsonBounds {
  readonly values: number
  /** The setting that `values` comes from. */
  readonly valuesSetting: string
  readonly depth: number
  /** What is refused, as the start of a sentence; a request body when absent. */
  readonly subject?: string
}

/**
 * Members of one object. Beyond it objects are slow to make and to walk through, whatever their
 * length.
 */
const MOST_MEMBERS = 20_000
/** In texts of this length a look at each byte is quicker than a call that searches. */
const SHORT_TEXT = 48
/** A count that no list of a body reaches. */
const NO_OBJECT = -(2 ** 31)

/**
 * Counts values and levels of JSON text while its bytes arrive, so that a small body of very many
 * small objects is refused before anything is made of it. An empty object or list counts twice,
 * which saves looking at what stands inside of it.
 */
export class JsonMeter {
  readonly #bounds: JsonBounds
  readonly #subject: string
  #values = 1
  #depth = 0
  /** Commas of each open object, by its level; of nothing outside of all. */
  readonly #members: number[] = [NO_OBJECT]
  #isInText = false
  #isEscaped = false

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
    this.#subject = bounds.subject ?? 'The request body'
  }

  get values(): number {
    return this.#values
  }

  /** Throws 413 at the first piece that goes beyond a bound. */
  take(bytes: Uint8Array): void {
    let place = this.#isEscaped ? 1 : 0
    this.#isEscaped = false
    while (place < bytes.length)
      place = this.#isInText ? this.#skipText(bytes, place) : this.#readStructure(bytes, place)
    // An escape cut off by the end of the piece: its second byte is the first of the next one.
    this.#isEscaped = place > bytes.length
    if (this.#values > this.#bounds.values) {
      throw tooLarge(
        `${this.#subject} holds more than ${this.#bounds.values} values (objects, lists, texts and numbers). ` +
          `Send it in parts, or ask an administrator to raise ${this.#bounds.valuesSetting}.`,
        { code: 'too_many_values' },
      )
    }
  }

  #skipText(bytes: Uint8Array, from: number): number {
    const near = Math.min(bytes.length, from + SHORT_TEXT)
    for (let place = from; place < near; place += 1) {
      const byte = bytes[place]
      if (byte === BACKSLASH) {
        place += 1
        if (place === bytes.length) return place + 1
        // The escape ends behind what is looked at here.
        if (place === near) return this.#skipLongText(bytes, place + 1)
      } else if (byte === QUOTE) {
        this.#isInText = false
        return place + 1
      }
    }
    return near === bytes.length ? near : this.#skipLongText(bytes, near)
  }

  /** A quote ends a text unless an odd number of backslashes stands in front of it. */
  #skipLongText(bytes: Uint8Array, from: number): number {
    for (let searched = from; ;) {
      const quote = bytes.indexOf(QUOTE, searched)
      const end = quote === -1 ? bytes.length : quote
      let before = end
      while (before > searched && bytes[before - 1] === BACKSLASH) before -= 1
      const isEscaped = (end - before) % 2 === 1
      if (quote === -1) return isEscaped ? end + 1 : end
      if (!isEscaped) {
        this.#isInText = false
        return quote + 1
      }
      searched = quote + 1
    }
  }

  #readStructure(bytes: Uint8Array, from: number): number {
    for (let place = from; place < bytes.length; place += 1) {
      const byte = bytes[place]
      if (byte === QUOTE) {
        this.#isInText = true
        return place + 1
      }
      if (byte === COMMA) this.#countMember()
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#enter(byte === OPEN_OBJECT)
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && this.#depth > 0) this.#depth -= 1
    }
    return bytes.length
  }

  #countMember(): void {
    this.#values += 1
    const members = this.#members[this.#depth]! + 1
    this.#members[this.#depth] = members
    if (members < MOST_MEMBERS) return
    throw tooLarge(
      `${this.#subject} has an object with more than ${MOST_MEMBERS} members, the most the gateway takes. Send it in parts.`,
      {
        code: 'too_many_members',
      },
    )
  }

  #enter(isObject: boolean): void {
    this.#values += 1
    this.#depth += 1
    if (this.#depth <= this.#bounds.depth) {
      this.#members[this.#depth] = isObject ? 0 : NO_OBJECT
      return
    }
    throw tooLarge(
      `${this.#subject} is nested more than ${this.#bounds.depth} levels deep. ` +
        'Make it flatter, or ask an administrator to raise JSON_BODY_MAX_DEPTH.',
      { code: 'too_deep' },
    )
  }
}

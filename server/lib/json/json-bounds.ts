import { tooLarge } from '../errors.ts'
import {
  QUOTE,
  COMMA,
  OPEN_LIST,
  BACKSLASH,
  CLOSE_LIST,
  OPEN_OBJECT,
  CLOSE_OBJECT,
} from './json-bytes.ts'

/** Limits for the structure of a JSON body, whatever its length. */
export interface JsonBounds {
  readonly values: number
  /** Setting that defines `values`. */
  readonly valuesSetting: string
  readonly depth: number
  /** Subject of the error message; defaults to a request body. */
  readonly subject?: string
}

/**
 * Maximum number of members of one object. Larger objects are slow to create and to iterate,
 * whatever their length.
 */
const MOST_MEMBERS = 20_000
/** Text length up to which checking each byte is faster than a search call. */
const SHORT_TEXT = 48
/** Count that no list of a body reaches. */
const NO_OBJECT = -(2 ** 31)

/**
 * Counts values and levels of JSON text while its bytes arrive, so that a small body of very many
 * small objects is rejected before it is parsed. An empty object or list counts twice, which avoids
 * inspecting its contents.
 */
export class JsonMeter {
  readonly #bounds: JsonBounds
  readonly #subject: string
  #values = 1
  #depth = 0
  /** Number of commas of each open object, by level; `NO_OBJECT` outside of all. */
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

  /** Throws 413 at the first chunk that exceeds a limit. */
  take(bytes: Uint8Array): void {
    let place = this.#isEscaped ? 1 : 0
    this.#isEscaped = false
    while (place < bytes.length)
      place = this.#isInText ? this.#skipText(bytes, place) : this.#readStructure(bytes, place)
    // An escape split by the end of the chunk: its second byte is the first one of the next chunk.
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
        // The escape ends beyond the inspected range.
        if (place === near) return this.#skipLongText(bytes, place + 1)
      } else if (byte === QUOTE) {
        this.#isInText = false
        return place + 1
      }
    }
    return near === bytes.length ? near : this.#skipLongText(bytes, near)
  }

  /** A quote ends a text unless it is preceded by an odd number of backslashes. */
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

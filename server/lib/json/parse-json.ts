import { ServiceError } from '../errors.ts'
import {
  QUOTE,
  COMMA,
  COLON,
  OPEN_LIST,
  BACKSLASH,
  CLOSE_LIST,
  LETTER_U,
  OPEN_OBJECT,
  CLOSE_OBJECT,
} from './json-bytes.ts'
import { setOwn } from './set-own.ts'

/**
 * Number of bytes passed to `JSON.parse` at once: for data with many values, and for a single long
 * text.
 */
export interface JsonSlices {
  readonly structure: number
  readonly text: number
}

/** Maximum length of a number; a longer one is rejected, because it cannot be parsed in parts. */
const LONGEST_NUMBER = 4096

const USUAL: JsonSlices = { structure: 16 * 1024, text: 1024 * 1024 }

/** Parsed body, and those of its objects and lists that took more than one slice. */
export interface ParsedJson {
  readonly value: unknown
  readonly large: WeakSet<object>
}

const NOT_JSON = 'The request body is not valid JSON.'

/** A body that is not JSON does not match any schema, so it is reported like other invalid input. */
const invalid = (cause?: unknown) =>
  new ServiceError(422, NOT_JSON, {
    code: 'invalid_json',
    issues: [{ loc: ['body'], msg: NOT_JSON, type: 'json_invalid' }],
    cause,
  })

/** Parses JSON bytes; throws 422 with the location if they are not JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw invalid(cause)
  }
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Content between the current position and the end of the slice: whole values up to a comma or to
 * the end of the container, or a part of one.
 */
interface Run {
  readonly kind: 'comma' | 'close' | 'long'
  readonly end: number
}

class SlicedJson {
  readonly large = new WeakSet<object>()
  readonly #bytes: Buffer
  readonly #slices: JsonSlices
  #place = 0

  constructor(bytes: Buffer, slices: JsonSlices) {
    this.#bytes = bytes
    this.#slices = slices
  }

  *read(): Generator<void, unknown> {
    const value = yield* this.#readValue()
    this.#skipSpace()
    if (this.#place < this.#bytes.length) throw invalid()
    return value
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.#place])) this.#place += 1
  }

  #parse(open: string, end: number, close: string): unknown {
    try {
      return JSON.parse(open + this.#bytes.toString('utf8', this.#place, end) + close)
    } catch (cause) {
      throw invalid(cause)
    }
  }

  *#readValue(): Generator<void, unknown> {
    this.#skipSpace()
    const first = this.#bytes[this.#place]
    if (first === QUOTE) return yield* this.#readText()
    if (first === OPEN_LIST) return yield* this.#readList()
    if (first === OPEN_OBJECT) return yield* this.#readObject()
    return this.#readScalar()
  }

  #readScalar(): unknown {
    const last = Math.min(this.#bytes.length, this.#place + LONGEST_NUMBER)
    let end = this.#place
    while (
      end < last &&
      !isSpace(this.#bytes[end]) &&
      ![COMMA, CLOSE_LIST, CLOSE_OBJECT].includes(this.#bytes[end]!)
    )
      end += 1
    const value = this.#parse('', end, '')
    this.#place = end
    return value
  }

  *#readText(): Generator<void, string> {
    this.#place += 1
    let text = ''
    for (;;) {
      const end = this.#endOfText()
      if (end === this.#place && this.#bytes[end] !== QUOTE) throw invalid()
      text += this.#parse('"', end, '"') as string
      this.#place = end
      if (this.#bytes[end] === QUOTE) break
      yield
    }
    this.#place += 1
    return text
  }

  /**
   * Returns the closing quote, otherwise a position at which the text may be cut: never inside an
   * escape or a character.
   */
  #endOfText(): number {
    const last = Math.min(this.#bytes.length, this.#place + this.#slices.text)
    // Most long texts are base64, without any escapes.
    const slice = this.#bytes.subarray(this.#place, last)
    const [quote, escape] = [slice.indexOf(QUOTE), slice.indexOf(BACKSLASH)]
    if (quote !== -1 && (escape === -1 || quote < escape)) return this.#place + quote
    let end = escape === -1 ? last : this.#place + escape
    while (end < last) {
      const byte = this.#bytes[end]
      if (byte === QUOTE) return end
      const length = byte !== BACKSLASH ? 1 : this.#bytes[end + 1] === LETTER_U ? 6 : 2
      if (end + length > last) return end
      end += length
    }
    for (
      let back = 0;
      back < 3 && end - 1 > this.#place && (this.#bytes[end]! & 0xc0) === 0x80;
      back += 1
    )
      end -= 1
    return end
  }

  #findRun(close: number): Run {
    const last = Math.min(this.#bytes.length, this.#place + this.#slices.structure)
    let comma = -1
    let depth = 0
    let isInText = false
    for (let place = this.#place; place < last; place += 1) {
      const byte = this.#bytes[place]
      if (isInText) {
        if (byte === BACKSLASH) place += 1
        else if (byte === QUOTE) isInText = false
      } else if (byte === QUOTE) isInText = true
      else if (byte === COMMA && depth === 0) comma = place
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (depth === 0 && byte !== close) throw invalid()
        if (depth === 0) return { kind: 'close', end: place }
        depth -= 1
      }
    }
    return comma === -1 ? { kind: 'long', end: last } : { kind: 'comma', end: comma }
  }

  /**
   * Reads the contents of a container; `takeRun` receives whole members, `takeLong` reads one that
   * is longer than a slice.
   */
  *#readMembers(
    close: number,
    takeRun: (end: number) => void,
    takeLong: () => Generator<void>,
  ): Generator<void> {
    this.#place += 1
    for (let isFirst = true; ; isFirst = false) {
      const { kind, end } = this.#findRun(close)
      if (kind === 'long') {
        yield* takeLong()
        this.#skipSpace()
        const next = this.#bytes[this.#place]
        this.#place += 1
        if (next === close) return
        if (next !== COMMA) throw invalid()
        continue
      }
      this.#skipSpace()
      if (this.#place < end) takeRun(end)
      else if (!isFirst || kind === 'comma') throw invalid()
      this.#place = end + 1
      if (kind === 'close') return
      yield
    }
  }

  *#readList(): Generator<void, unknown[]> {
    const list: unknown[] = []
    const readLong = function* (this: SlicedJson): Generator<void> {
      list.push(yield* this.#readValue())
    }.bind(this)
    yield* this.#readMembers(
      CLOSE_LIST,
      (end) => {
        for (const value of this.#parse('[', end, ']') as unknown[]) list.push(value)
      },
      readLong,
    )
    this.large.add(list)
    return list
  }

  *#readObject(): Generator<void, object> {
    const object = {}
    const readLong = function* (this: SlicedJson): Generator<void> {
      this.#skipSpace()
      if (this.#bytes[this.#place] !== QUOTE) throw invalid()
      const name = yield* this.#readText()
      this.#skipSpace()
      if (this.#bytes[this.#place] !== COLON) throw invalid()
      this.#place += 1
      setOwn(object, name, yield* this.#readValue())
    }.bind(this)
    yield* this.#readMembers(
      CLOSE_OBJECT,
      (end) => {
        for (const [name, value] of Object.entries(this.#parse('{', end, '}') as object))
          setOwn(object, name, value)
      },
      readLong,
    )
    this.large.add(object)
    return object
  }
}

/**
 * Parses a large body slice by slice, to the same value as `JSON.parse`; throws 422 with the
 * location if it is not JSON.
 */
export function* parseJsonInSteps(
  bytes: Buffer,
  slices: JsonSlices = USUAL,
): Generator<void, ParsedJson> {
  const reader = new SlicedJson(bytes, slices)
  return { value: yield* reader.read(), large: reader.large }
}

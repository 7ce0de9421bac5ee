/**
 * A value of a long JSON document: a member of the outermost object, or an element of a list in it.
 */
export interface JsonValue {
  /** Name of the member or of the list; null for elements of an outermost list. */
  readonly name: string | null
  readonly isElement: boolean
  /** Text of the value; null if it was too long to keep. */
  readonly text: string | null
}

interface SplitOptions {
  /** Members whose elements are passed one by one; other lists are passed as a whole. */
  readonly lists: ReadonlySet<string>
  /** Maximum length of a value; longer ones are skipped. */
  readonly longest: number
  readonly onValue: (value: JsonValue) => void
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])
const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

export class JsonSplitError extends Error {}

/** Scans one value to its end, regardless of its content. */
class ValueScanner {
  #depth = 0
  #inString = false
  #isEscaped = false
  #isScalar = false

  begin(byte: number): void {
    this.#depth = byte === OPEN_LIST || byte === OPEN_OBJECT ? 1 : 0
    this.#inString = byte === QUOTE
    this.#isScalar = this.#depth === 0 && !this.#inString
    this.#isEscaped = false
  }

  /** `end`: the value ends with this byte; `before`: it ended with the byte before. */
  scan(byte: number): 'inside' | 'end' | 'before' {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) {
        this.#inString = false
        return this.#depth === 0 ? 'end' : 'inside'
      }
      return 'inside'
    }
    if (this.#isScalar)
      return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte)
        ? 'before'
        : 'inside'
    if (byte === QUOTE) this.#inString = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1
    return this.#depth === 0 ? 'end' : 'inside'
  }
}

/** Collects the bytes of a value from its chunks. */
class Collector {
  readonly #longest: number
  #parts: Uint8Array[] = []
  #size = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  add(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size <= this.#longest) this.#parts.push(Buffer.from(bytes))
    else this.#parts = []
  }

  take(): string | null {
    const text = this.#size <= this.#longest ? Buffer.concat(this.#parts).toString('utf8') : null
    this.#parts = []
    this.#size = 0
    return text
  }
}

/**
 * Splits a JSON document of any length while it arrives, because the platform's parser needs it
 * complete. Only the outermost levels are examined; the values themselves are validated when they
 * are parsed.
 */
export class JsonSplitter {
  readonly #lists
  readonly #onValue
  readonly #scanner = new ValueScanner()
  readonly #collector
  /** Open containers at the current position: none, the outermost one, and perhaps a list in it. */
  readonly #open: { kind: 'list' | 'object'; name: string | null }[] = []
  #capturing: 'value' | 'name' | null = null
  #name: string | null = null
  #isEnded = false

  constructor({ lists, longest, onValue }: SplitOptions) {
    this.#lists = lists
    this.#onValue = onValue
    this.#collector = new Collector(longest)
  }

  push(bytes: Uint8Array): void {
    let from = 0
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index]!
      if (this.#capturing === null) {
        if (this.#step(byte)) from = index
        continue
      }
      const place = this.#scanner.scan(byte)
      if (place === 'inside') continue
      this.#collector.add(bytes.subarray(from, place === 'end' ? index + 1 : index))
      const wasValue = this.#capturing === 'value'
      this.#finishCapture()
      if (wasValue && this.#open.at(-1)?.kind === 'object') this.#name = null
      if (place === 'before') this.#step(byte)
    }
    if (this.#capturing !== null) this.#collector.add(bytes.subarray(from))
  }

  /** Throws if the document is incomplete. */
  end(): void {
    if (!this.#isEnded) throw new JsonSplitError('the end is missing')
  }

  #openContainer(byte: number): void {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT)
      throw new JsonSplitError('neither an object nor a list')
    this.#open.push({ kind: byte === OPEN_LIST ? 'list' : 'object', name: this.#name })
  }

  #finishCapture(): void {
    const text = this.#collector.take()
    if (this.#capturing === 'name') this.#name = text === null ? null : (JSON.parse(text) as string)
    else
      this.#onValue({
        name:
          this.#open.length === 1 && this.#open[0]!.kind === 'list'
            ? null
            : (this.#open.at(-1)!.name ?? this.#name),
        isElement: this.#open.at(-1)!.kind === 'list',
        text,
      })
    this.#capturing = null
  }

  #close(): void {
    this.#open.pop()
    this.#name = null
    this.#isEnded = this.#open.length === 0
  }

  /** Handles a byte between values; returns true if a value or a name begins with it. */
  #step(byte: number): boolean {
    const around = this.#open.at(-1)
    if (isSpace(byte) || byte === COMMA || byte === COLON || this.#isEnded) return false
    if (!around) {
      if (!BYTE_ORDER_MARK.has(byte)) this.#openContainer(byte)
      return false
    }
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#close()
      return false
    }
    const isName = around.kind === 'object' && this.#name === null
    if (
      around.kind === 'object' &&
      !isName &&
      byte === OPEN_LIST &&
      this.#open.length === 1 &&
      this.#lists.has(this.#name!)
    ) {
      this.#openContainer(byte)
      return false
    }
    if (isName && byte !== QUOTE) throw new JsonSplitError('a member without a name')
    this.#capturing = isName ? 'name' : 'value'
    this.#scanner.begin(byte)
    return true
  }
}

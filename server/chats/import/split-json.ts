/**
 * A value of a long JSON document: a member of the outermost object, or an element of a list in it.
 */
export interface JsonValue {
  /** Name of the member or of the list; null for elements of an outermost list. */
  readonly name: string | null
  readonly isElement: boolean
  /** The text of the value; null when it was too long to keep. */
  readonly text: string | null
}

export interface JsonSplitter {
  push(bytes: Uint8Array): void
  /** Throws when the document has not ended. */
  end(): void
}

interface SplitOptions {
  /** Members whose elements are handed over one by one; other lists are handed over whole. */
  readonly lists: ReadonlySet<string>
  /** Longer values are skipped. */
  readonly longest: number
  readonly onValue: (value: JsonValue) => void
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])
const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

export class JsonSplitError extends Error {}

/** Follows one value to its end, whatever is inside. */
function createValueScanner() {
  let depth = 0
  let inString = false
  let isEscaped = false
  let isScalar = false

  return {
    begin(byte: number): void {
      depth = byte === OPEN_LIST || byte === OPEN_OBJECT ? 1 : 0
      inString = byte === QUOTE
      isScalar = depth === 0 && !inString
      isEscaped = false
    },
    /** `end`: the value ends with this byte; `before`: it ended with the byte before. */
    scan(byte: number): 'inside' | 'end' | 'before' {
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          inString = false
          return depth === 0 ? 'end' : 'inside'
        }
        return 'inside'
      }
      if (isScalar)
        return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte)
          ? 'before'
          : 'inside'
      if (byte === QUOTE) inString = true
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
      return depth === 0 ? 'end' : 'inside'
    },
  }
}

/** Collects the bytes of a value from the chunks it lies in. */
function createCollector(longest: number) {
  let parts: Uint8Array[] = []
  let size = 0
  return {
    add(bytes: Uint8Array): void {
      size += bytes.length
      if (size <= longest) parts.push(Buffer.from(bytes))
      else parts = []
    },
    take(): string | null {
      const text = size <= longest ? Buffer.concat(parts).toString('utf8') : null
      parts = []
      size = 0
      return text
    },
  }
}

/**
 * Takes a JSON document of any length apart while it arrives, because the parser of the platform
 * needs it whole. Only the outermost levels are looked at; whether the values themselves are JSON
 * shows when they are parsed.
 */
export function createJsonSplitter({ lists, longest, onValue }: SplitOptions): JsonSplitter {
  const scanner = createValueScanner()
  const collector = createCollector(longest)
  /**
   * What is open around the current place: nothing, the outermost container, and perhaps a list in
   * it.
   */
  const open: { kind: 'list' | 'object'; name: string | null }[] = []
  let capturing: 'value' | 'name' | null = null
  let name: string | null = null
  let isEnded = false

  function openContainer(byte: number): void {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT)
      throw new JsonSplitError('neither an object nor a list')
    open.push({ kind: byte === OPEN_LIST ? 'list' : 'object', name })
  }

  function finishCapture(): void {
    const text = collector.take()
    if (capturing === 'name') name = text === null ? null : (JSON.parse(text) as string)
    else
      onValue({
        name: open.length === 1 && open[0]!.kind === 'list' ? null : (open.at(-1)!.name ?? name),
        isElement: open.at(-1)!.kind === 'list',
        text,
      })
    capturing = null
  }

  function close(): void {
    open.pop()
    name = null
    isEnded = open.length === 0
  }

  /** A byte between values; true when a value or a name begins with it. */
  function step(byte: number): boolean {
    const around = open.at(-1)
    if (isSpace(byte) || byte === COMMA || byte === COLON || isEnded) return false
    if (!around) {
      if (!BYTE_ORDER_MARK.has(byte)) openContainer(byte)
      return false
    }
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      close()
      return false
    }
    const isName = around.kind === 'object' && name === null
    if (
      around.kind === 'object' &&
      !isName &&
      byte === OPEN_LIST &&
      open.length === 1 &&
      lists.has(name!)
    ) {
      openContainer(byte)
      return false
    }
    if (isName && byte !== QUOTE) throw new JsonSplitError('a member without a name')
    capturing = isName ? 'name' : 'value'
    scanner.begin(byte)
    return true
  }

  function push(bytes: Uint8Array): void {
    let from = 0
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index]!
      if (capturing === null) {
        if (step(byte)) from = index
        continue
      }
      const place = scanner.scan(byte)
      if (place === 'inside') continue
      collector.add(bytes.subarray(from, place === 'end' ? index + 1 : index))
      const wasValue = capturing === 'value'
      finishCapture()
      if (wasValue && open.at(-1)?.kind === 'object') name = null
      if (place === 'before') step(byte)
    }
    if (capturing !== null) collector.add(bytes.subarray(from))
  }

  return {
    push,
    end: () => {
      if (!isEnded) throw new JsonSplitError('the end is missing')
    },
  }
}

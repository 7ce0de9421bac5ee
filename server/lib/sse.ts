import { LINE_LIMIT, LineScanner, LineTooLongError } from './lines.ts'

/** An event of a stream. Its name is empty unless the sender gave it one. */
export interface ServerSentEvent {
  readonly name: string
  readonly data: string
}

/**
 * A JSON object or end mark on one line is an event by itself, even when the sender forgot the
 * blank line after it. Asked only when a second line of data follows, which may as well be the rest
 * of an object that is written over several lines.
 */
export function isWholeEvent(line: string): boolean {
  const text = line.trim()
  if (text === '[DONE]') return true
  if (!text.startsWith('{') || !text.endsWith('}')) return false
  // No sender that breaks its objects over lines writes such long ones, and parsing them twice
  // takes long.
  if (text.length > LONG_LINE) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const LONG_LINE = 256 * 1024
const DATA_FIELD = 'data:'
const NAME_FIELD = 'event:'

/** What stands behind the name of a field; one space in front of it is no part of it. */
const valueOf = (line: string, field: string): string =>
  line.slice(line[field.length] === ' ' ? field.length + 1 : field.length)

/**
 * Reads server-sent events from bytes, wherever the chunks are split. Events without data are left
 * out.
 */
export class SseScanner {
  readonly #limit: number
  readonly #lines: LineScanner
  #isFirst = true
  #name = ''
  #data: string | null = null
  /**
   * Looking at what was gathered again with each line would take a time that grows with the square
   * of their number.
   */
  #isOneLine = false

  constructor(limit = LINE_LIMIT) {
    this.#limit = limit
    this.#lines = new LineScanner(limit)
  }

  /** The events completed by this chunk. */
  push(chunk: Buffer): ServerSentEvent[] {
    const found: ServerSentEvent[] = []
    for (const line of this.#lines.push(chunk)) this.#takeLine(line, found)
    return found
  }

  /** A last event that was not followed by a blank line; empty when there is none. */
  end(): ServerSentEvent[] {
    const found: ServerSentEvent[] = []
    const rest = this.#lines.end()
    if (rest !== null) this.#takeLine(rest, found)
    this.#takeLine('', found)
    return found
  }

  /** Whether the next byte begins an event. */
  isBetweenEvents(): boolean {
    return this.#data === null && this.#name === '' && this.#lines.isBetweenLines()
  }

  #takePending(found: ServerSentEvent[]): void {
    if (this.#data !== null) found.push({ name: this.#name, data: this.#data })
    this.#name = ''
    this.#data = null
  }

  #takeLine(text: string, found: ServerSentEvent[]): void {
    const line = this.#isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    this.#isFirst = false
    if (line === '') return this.#takePending(found)
    const isData = line.startsWith(DATA_FIELD) || line === 'data'
    const isName = line.startsWith(NAME_FIELD)
    if (!isData && !isName) return
    if (this.#data !== null && this.#isOneLine && isWholeEvent(this.#data)) this.#takePending(found)
    if (isName) {
      this.#name = valueOf(line, NAME_FIELD)
      return
    }
    const value = valueOf(line, DATA_FIELD)
    this.#isOneLine = this.#data === null
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`
    if (this.#data.length > this.#limit)
      throw new LineTooLongError(`An event is longer than ${this.#limit} characters.`)
  }
}

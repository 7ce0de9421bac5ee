import { LINE_LIMIT, LineScanner, LineTooLongError } from './lines.ts'

/** Event of a stream. Its name is empty unless the sender specified one. */
export interface ServerSentEvent {
  readonly name: string
  readonly data: string
}

/**
 * Returns true if a line is a complete event: a JSON object or end mark on one line is one, even if
 * the sender left out the blank line after it. Called only if a second data line follows, which may
 * also be the rest of an object written over several lines.
 */
export function isWholeEvent(line: string): boolean {
  const text = line.trim()
  if (text === '[DONE]') return true
  if (!text.startsWith('{') || !text.endsWith('}')) return false
  // Senders that break objects over several lines do not write such long ones, and parsing them
  // twice takes long.
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

/** Returns the value after a field name; one leading space is not part of it. */
const valueOf = (line: string, field: string): string =>
  line.slice(line[field.length] === ' ' ? field.length + 1 : field.length)

/**
 * Parses server-sent events from bytes, wherever the chunks are split. Events without data are left
 * out.
 */
export class SseScanner {
  readonly #limit: number
  readonly #lines: LineScanner
  #isFirst = true
  #name = ''
  #data: string | null = null
  /** Re-reading the gathered data with each line would take quadratic time. */
  #isOneLine = false

  constructor(limit = LINE_LIMIT) {
    this.#limit = limit
    this.#lines = new LineScanner(limit)
  }

  /** Returns the events completed by this chunk. */
  push(chunk: Buffer): ServerSentEvent[] {
    const found: ServerSentEvent[] = []
    for (const line of this.#lines.push(chunk)) this.#takeLine(line, found)
    return found
  }

  /** Returns a last event that was not followed by a blank line; empty if there is none. */
  end(): ServerSentEvent[] {
    const found: ServerSentEvent[] = []
    const rest = this.#lines.end()
    if (rest !== null) this.#takeLine(rest, found)
    this.#takeLine('', found)
    return found
  }

  /** Returns true if the next byte begins an event. */
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

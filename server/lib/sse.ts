import { createLineScanner, LINE_LIMIT, LineTooLongError } from './lines.ts'

/** An event of a stream. Its name is empty unless the sender gave it one. */
export interface ServerSentEvent {
  readonly name: string
  readonly data: string
}

/**
 * Reads server-sent events from bytes, wherever the chunks are split. Events without data are left
 * out.
 */
export interface SseScanner {
  /** The events completed by this chunk. */
  push(chunk: Buffer): ServerSentEvent[]
  /** A last event that was not followed by a blank line; empty when there is none. */
  end(): ServerSentEvent[]
  /** Whether the next byte begins an event. */
  isBetweenEvents(): boolean
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

export function createSseScanner(limit = LINE_LIMIT): SseScanner {
  const lines = createLineScanner(limit)
  let isFirst = true
  let name = ''
  let data: string | null = null
  /**
   * Looking at what was gathered again with each line would take a time that grows with the square
   * of their number.
   */
  let isOneLine = false

  function takePending(found: ServerSentEvent[]): void {
    if (data !== null) found.push({ name, data })
    name = ''
    data = null
  }

  function takeLine(text: string, found: ServerSentEvent[]): void {
    const line = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    isFirst = false
    if (line === '') return takePending(found)
    const isData = line.startsWith(DATA_FIELD) || line === 'data'
    const isName = line.startsWith(NAME_FIELD)
    if (!isData && !isName) return
    if (data !== null && isOneLine && isWholeEvent(data)) takePending(found)
    if (isName) {
      name = valueOf(line, NAME_FIELD)
      return
    }
    const value = valueOf(line, DATA_FIELD)
    isOneLine = data === null
    data = data === null ? value : `${data}\n${value}`
    if (data.length > limit)
      throw new LineTooLongError(`An event is longer than ${limit} characters.`)
  }

  return {
    push(chunk) {
      const found: ServerSentEvent[] = []
      for (const line of lines.push(chunk)) takeLine(line, found)
      return found
    },
    end() {
      const found: ServerSentEvent[] = []
      const rest = lines.end()
      if (rest !== null) takeLine(rest, found)
      takeLine('', found)
      return found
    },
    isBetweenEvents: () => data === null && name === '' && lines.isBetweenLines(),
  }
}

import { createLineScanner, LINE_LIMIT, LineTooLongError } from './lines.ts'

/** Reads the `data` of server-sent events from bytes, wherever the chunks are split. */
export interface SseScanner {
  /** Data of the events completed by this chunk. */
  push(chunk: Buffer): string[]
  /** Data of a last event that was not followed by a blank line; empty when there is none. */
  end(): string[]
  /** Whether the next byte begins an event. */
  isBetweenEvents(): boolean
}

/**
 * A JSON object or end mark on one line is an event by itself, even when the sender forgot the blank line after it. Asked only
 * when another line of data follows, which may as well be the rest of an object that is written over several lines.
 */
export function isWholeEvent(data: string): boolean {
  const text = data.trim()
  if (text === '[DONE]') return true
  if (!text.startsWith('{') || !text.endsWith('}') || text.includes('\n')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const FIELD = 'data:'

export function createSseScanner(limit = LINE_LIMIT): SseScanner {
  const lines = createLineScanner(limit)
  let isFirst = true
  let pending: string | null = null

  function takeLine(text: string, found: string[]): void {
    let line = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    isFirst = false
    if (line === '') {
      if (pending !== null) found.push(pending)
      pending = null
      return
    }
    if (!line.startsWith(FIELD)) {
      if (line !== 'data') return
      line = FIELD
    }
    const value = line.slice(line[FIELD.length] === ' ' ? FIELD.length + 1 : FIELD.length)
    if (pending !== null && isWholeEvent(pending)) {
      found.push(pending)
      pending = null
    }
    pending = pending === null ? value : `${pending}\n${value}`
    if (pending.length > limit) throw new LineTooLongError(`An event is longer than ${limit} characters.`)
  }

  return {
    push(chunk) {
      const found: string[] = []
      for (const line of lines.push(chunk)) takeLine(line, found)
      return found
    },
    end() {
      const found: string[] = []
      const rest = lines.end()
      if (rest !== null) takeLine(rest, found)
      takeLine('', found)
      return found
    },
    isBetweenEvents: () => pending === null && lines.isBetweenLines(),
  }
}

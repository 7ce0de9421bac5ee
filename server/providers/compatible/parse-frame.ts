import { isRecord } from '../../lib/is-record.ts'
import { parseObjects } from '../../lib/mend-json.ts'
import type { ServerSentEvent } from '../../lib/sse.ts'

type Fields = Record<string, unknown>

/** The end mark of chat completions. */
export const END_MARK = '[DONE]'

/** The object of data that is nothing else; null for anything that has to be looked at more closely. */
export function parseObject(data: string): Fields | null {
  try {
    const value: unknown = isTooDeep(data) ? null : JSON.parse(data)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Levels of a frame or document. No format has more than some; what is nested much deeper can be parsed, but not written again. */
export const MOST_LEVELS = 500

export function isTooDeep(text: string): boolean {
  if (text.length < MOST_LEVELS * 2) return false
  let [levels, isInText] = [0, false]
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place]
    if (isInText) {
      if (letter === '\\') place += 1
      else if (letter === '"') isInText = false
    } else if (letter === '"') isInText = true
    else if (letter === '{' || letter === '[') {
      levels += 1
      if (levels > MOST_LEVELS) return true
    } else if (letter === '}' || letter === ']') levels -= 1
  }
  return false
}

/** An error as all formats write it: senders leave the type out, or the field, and say both by the name of the event alone. */
function toError(value: Fields): Fields {
  const isWritten = value['error'] !== undefined && value['error'] !== null
  return { ...(isWritten && value), type: 'error', error: isWritten ? value['error'] : value }
}

/**
 * The JSON objects of one event, which should be one; none for noise and the end mark. Null when it was meant to hold objects
 * and cannot be read, so that a part of the answer is missing.
 */
export function parseFrames({ name, data }: ServerSentEvent): Fields[] | null {
  const text = data.trim()
  if (text === '' || text === END_MARK) return []
  if (isTooDeep(text)) return null
  const values = parseObjects(text)
  if (name.trim() !== 'error') return values
  return values === null || values.length === 0 ? [toError({ message: text })] : values.map(toError)
}

import { isRecord, type Fields } from '../../lib/is-record.ts'
import { parseObjects } from '../../lib/json/mend-json.ts'
import type { ServerSentEvent } from '../../lib/bytes/sse.ts'

/** End mark of chat completions. */
export const END_MARK = '[DONE]'

/**
 * Parses data that is nothing but an object; returns null for anything that needs closer
 * inspection.
 */
export function parseObject(data: string): Fields | null {
  try {
    const value: unknown = isTooRich(data) ? null : JSON.parse(data)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Maximum nesting depth of a frame or document. Every format has only a few levels; a much deeper
 * value can be parsed, but not serialized again.
 */
export const MOST_LEVELS = 500
/**
 * Maximum weight of a frame: lists of tokens have more than a hundred thousand numbers, but no
 * frame has as many objects.
 */
const MOST_WEIGHT = 200_000
/** Weight of an object or list: creating one takes as long as this many numbers. */
const WEIGHT_OF_OBJECT = 4

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** Returns the end of the string literal whose opening quote is just before `from`. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return text.length
}

/** Returns the weight of JSON text, measured in numbers; infinite if it is nested too deeply. */
function weigh(text: string): number {
  if (text.length < MOST_LEVELS * 2) return 0
  let [levels, weight, place] = [0, 0, 0]
  while (place < text.length) {
    const letter = text.charCodeAt(place)
    place += 1
    if (letter === QUOTE) place = endOfText(text, place)
    else if (letter === COMMA) weight += 1
    else if (letter === CLOSE_OBJECT || letter === CLOSE_LIST) levels -= 1
    else if (letter === OPEN_OBJECT || letter === OPEN_LIST) {
      levels += 1
      weight += WEIGHT_OF_OBJECT
      if (levels > MOST_LEVELS) return Infinity
    }
  }
  return weight
}

export const isTooDeep = (text: string): boolean => weigh(text) === Infinity

/**
 * Returns true if a frame is nested too deeply, or holds so many values that parsing it would block
 * the event loop.
 */
export const isTooRich = (text: string): boolean => weigh(text) > MOST_WEIGHT

/**
 * Returns an error in the common form: some senders leave out the type or the error field, and
 * express both only by the event name.
 */
function toError(value: Fields): Fields {
  const isWritten = value['error'] !== undefined && value['error'] !== null
  return { ...(isWritten && value), type: 'error', error: isWritten ? value['error'] : value }
}

/**
 * Parses the JSON objects of one event, which should be one; returns none for noise and the end
 * mark. Null if the event was meant to hold objects and is unreadable, so that a part of the answer
 * is missing.
 */
export function parseFrames({ name, data }: ServerSentEvent): Fields[] | null {
  const text = data.trim()
  if (text === '' || text === END_MARK) return []
  if (isTooRich(text)) return null
  const values = parseObjects(text)
  if (name.trim() !== 'error') return values
  return values === null || values.length === 0 ? [toError({ message: text })] : values.map(toError)
}

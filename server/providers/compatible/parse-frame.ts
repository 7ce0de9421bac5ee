import { isRecord } from '../../lib/is-record.ts'
import { parseObjects } from '../../lib/mend-json.ts'
import type { ServerSentEvent } from '../../lib/sse.ts'

type Fields = Record<string, unknown>

/** The end mark of chat completions. */
export const END_MARK = '[DONE]'

/**
 * The object of data that is nothing else; null for anything that has to be looked at more closely.
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
 * Levels of a frame or document. No format has more than some; what is nested much deeper can be
 * parsed, but not written again.
 */
export const MOST_LEVELS = 500
/**
 * What a frame may hold: lists of tokens have more than a hundred thousand numbers, and no frame
 * has as many objects.
 */
const MOST_WEIGHT = 200_000
/** An object or list takes as long to be made as so many numbers. */
const WEIGHT_OF_OBJECT = 4

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** Where the text ends that begins in front of a place. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return text.length
}

/** What JSON holds, counted as numbers; infinite where it is nested too deeply. */
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
 * Whether a frame is nested too deeply, or holds so many values that parsing it would hold
 * everybody up.
 */
export const isTooRich = (text: string): boolean => weigh(text) > MOST_WEIGHT

/**
 * An error as all formats write it: senders leave the type out, or the field, and say both by the
 * name of the event alone.
 */
function toError(value: Fields): Fields {
  const isWritten = value['error'] !== undefined && value['error'] !== null
  return { ...(isWritten && value), type: 'error', error: isWritten ? value['error'] : value }
}

/**
 * The JSON objects of one event, which should be one; none for noise and the end mark. Null when it
 * was meant to hold objects and cannot be read, so that a part of the answer is missing.
 */
export function parseFrames({ name, data }: ServerSentEvent): Fields[] | null {
  const text = data.trim()
  if (text === '' || text === END_MARK) return []
  if (isTooRich(text)) return null
  const values = parseObjects(text)
  if (name.trim() !== 'error') return values
  return values === null || values.length === 0 ? [toError({ message: text })] : values.map(toError)
}

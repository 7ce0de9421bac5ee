import { sliceEnd } from '../../../lib/json/stringify-in-steps.ts'
import type { LateText } from '../dialect-stream.ts'

/** JSON text with placeholders, each filled with JSON text. */
export type Template = (...values: readonly string[]) => string

/** Returns the placeholder of a value. */
export const at = (place: number): string => `@${place}@`
const PLACE = /"@(\d+)@"/

/** Returns the fields of an object as JSON without braces, for insertion among others. */
export const withoutBraces = (value: object): string => JSON.stringify(value).slice(1, -1)

/**
 * Creates a template.
 * @NOTE For constants only: text of users and models could look like a placeholder.
 */
export const toTemplate = (value: object): Template => fillIn(JSON.stringify(value))

/** Like `toTemplate`, without the braces. */
export const toFieldsTemplate = (value: object): Template => fillIn(withoutBraces(value))

function fillIn(json: string): Template {
  const parts = json.split(PLACE)
  const texts = parts.filter((_, index) => index % 2 === 0)
  const places = parts.filter((_, index) => index % 2 === 1).map(Number)
  return (...values) => {
    let text = texts[0]!
    for (let index = 0; index < places.length; index += 1)
      text += values[places[index]!]! + texts[index + 1]!
    return text
  }
}

/** Returns the template of an event whose sequence number is the value at place 0. */
export function toEventTemplate(type: string, fields: object): Template {
  const data = toTemplate({ type, ...fields, sequence_number: at(0) })
  const name = `event: ${type}\ndata: `
  return (...values) => `${name}${data(...values)}\n\n`
}

/** Placeholder for a long text in an event that is written in pieces; it occurs in no JSON text. */
export const LONG_PLACE = '\u0000'

/** Returns an event with pieces in place of its long text. */
export function fillLong(event: string, pieces: readonly LateText[]): LateText[] {
  const [before, after] = event.split(LONG_PLACE) as [string, string]
  return [before, ...pieces, after]
}

/** Length from which a text is written as JSON slice by slice, each produced when it is written. */
const SLICE_UNITS = 64 * 1024

export const isLong = (text: string): boolean => text.length > SLICE_UNITS

/** Returns a text as JSON, in pieces if it is long. */
export function toLiteral(text: string): LateText[] {
  if (!isLong(text)) return [JSON.stringify(text)]
  const pieces: LateText[] = ['"']
  for (let start = 0, end: number; start < text.length; start = end) {
    end = sliceEnd(text, Math.min(text.length, start + SLICE_UNITS))
    const [from, to] = [start, end]
    pieces.push(() => JSON.stringify(text.slice(from, to)).slice(1, -1))
  }
  return [...pieces, '"']
}

import { sliceEnd } from '../../../lib/stringify-in-steps.ts'
import type { LateText } from '../dialect-stream.ts'

/** A JSON text with places to fill in, each with JSON text. */
export type Template = (...values: readonly string[]) => string

/** Stands for the value at a place. */
export const at = (place: number): string => `@${place}@`
const PLACE = /"@(\d+)@"/

/** The fields of an object as JSON, to stand among others. */
export const withoutBraces = (value: object): string => JSON.stringify(value).slice(1, -1)

/** @NOTE For constants only: what people and models wrote could look like a place. */
export const toTemplate = (value: object): Template => fillIn(JSON.stringify(value))

/** As `toTemplate`, without the braces. */
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

/** An event whose number is the value at place 0. */
export function toEventTemplate(type: string, fields: object): Template {
  const data = toTemplate({ type, ...fields, sequence_number: at(0) })
  const name = `event: ${type}\ndata: `
  return (...values) => `${name}${data(...values)}\n\n`
}

/** Stands for a long text in an event that is written in pieces: no JSON text holds it. */
export const LONG_PLACE = '\u0000'

/** An event with pieces in the place of its long text. */
export function fillLong(event: string, pieces: readonly LateText[]): LateText[] {
  const [before, after] = event.split(LONG_PLACE) as [string, string]
  return [before, ...pieces, after]
}

/** A text from this length on is written as JSON a slice at a time, each when its turn has come. */
const SLICE_UNITS = 64 * 1024

export const isLong = (text: string): boolean => text.length > SLICE_UNITS

/** A text as JSON, in pieces when it is long. */
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

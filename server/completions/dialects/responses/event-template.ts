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
    for (let index = 0; index < places.length; index += 1) text += values[places[index]!]! + texts[index + 1]!
    return text
  }
}

/** An event whose number is the value at place 0. */
export function toEventTemplate(type: string, fields: object): Template {
  const data = toTemplate({ type, ...fields, sequence_number: at(0) })
  const name = `event: ${type}\ndata: `
  return (...values) => `${name}${data(...values)}\n\n`
}

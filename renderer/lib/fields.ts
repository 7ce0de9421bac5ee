/** Object with fields of unknown types, such as parsed JSON. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns true if a value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of a value; an empty object if it has none. */
export const toFields = (value: unknown): Fields => (isRecord(value) ? value : {})

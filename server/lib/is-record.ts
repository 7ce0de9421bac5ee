/** A JSON object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns true if a parsed JSON value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

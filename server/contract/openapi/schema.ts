/** JSON schema, in which models receive the arguments of a tool. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Definition of a tool for a model; `name` matches `[A-Za-z0-9_-]{1,64}`. */
export interface ToolSpecification {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** Error for a missing or unsendable argument, with a message for the model. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/** Returns true if a parsed JSON value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A JSON schema, as models are told the arguments of a tool. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a model is told of a tool; `name` fits `[A-Za-z0-9_-]{1,64}`. */
export interface ToolSpecification {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** An argument that is missing or cannot be sent, as a sentence for the model. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/** Whether a parsed JSON value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import type { JsonSchema } from './schema.ts'

/** Where an argument of an operation travels. Cookie parameters are never sent. */
export interface OperationParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly schema: JsonSchema
  readonly description: string
  /** Whether the entries of a list travel as parameters of their own. */
  readonly isExploded: boolean
}

/**
 * The JSON body of an operation. `isWrapped` means it is no object, and its value is the argument
 * `body`.
 */
export interface OperationBody {
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly isWrapped: boolean
  readonly mediaType: string
}

/** One operation of an OpenAPI description that models can call. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  /** As described, with `{name}` where path parameters stand. */
  readonly path: string
  readonly description: string
  readonly parameters: readonly OperationParameter[]
  readonly body: OperationBody | null
}

/** What a server says it can do. */
export interface ToolServerDescription {
  readonly title: string
  readonly description: string
  readonly operations: readonly Operation[]
}

import type { JsonSchema } from './schema.ts'

/** Location of an operation's argument in the request. Cookie parameters are never sent. */
export interface OperationParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly schema: JsonSchema
  readonly description: string
  /** True if the entries of a list are sent as separate parameters. */
  readonly isExploded: boolean
}

/**
 * JSON body of an operation. `isWrapped` means that it is not an object, and that its value is the
 * argument `body`.
 */
export interface OperationBody {
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly isWrapped: boolean
  readonly mediaType: string
}

/** Operation of an OpenAPI description that models can call. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  /** Path as described, with `{name}` for path parameters. */
  readonly path: string
  readonly description: string
  readonly parameters: readonly OperationParameter[]
  readonly body: OperationBody | null
}

/** Description of the operations a server offers. */
export interface ToolServerDescription {
  readonly title: string
  readonly description: string
  readonly operations: readonly Operation[]
}

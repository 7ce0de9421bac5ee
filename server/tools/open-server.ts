import type { CallPlace } from './call-place.ts'
import type { JsonSchema, ToolOutput } from './tool.ts'

/** A tool as its server offers it. */
export interface ServerFunction {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
}

export interface FunctionCall {
  readonly place: CallPlace
  readonly signal: AbortSignal
  readonly onProgress: (progress: {
    done: number
    total: number | null
    message: string | null
  }) => void
}

/** A tool server ready to be called on behalf of somebody. */
export interface OpenServer {
  readonly functions: readonly ServerFunction[]
  /**
   * What the tool says went wrong is an output; what keeps it from being asked is thrown as a
   * sentence.
   */
  call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    call: FunctionCall,
  ): Promise<ToolOutput>
}

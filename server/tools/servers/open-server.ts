import type { CallPlace } from '../calls/call-place.ts'
import type { JsonSchema, ToolOutput } from '../calls/tool.ts'

/** A tool as offered by its server. */
export interface ServerFunction {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** True if it changes nothing. */
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

/** A tool server ready for calls on behalf of a user. */
export interface OpenServer {
  readonly functions: readonly ServerFunction[]
  /**
   * Errors reported by the tool are outputs; errors that prevent the call are thrown as a sentence.
   */
  call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    call: FunctionCall,
  ): Promise<ToolOutput>
}

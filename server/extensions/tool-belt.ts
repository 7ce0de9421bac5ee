import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { RequestContext } from './request-context.ts'

/** A function as the model is told about it. */
export interface ToolSpec {
  readonly name: string
  readonly description?: string
  /** JSON schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What a tool gave back. */
export interface ToolResult {
  /** What the model reads. */
  readonly text: string
  /** True when the text tells what went wrong. */
  readonly isError?: boolean
  /** File items for the message. */
  readonly files?: readonly Readonly<Record<string, unknown>>[]
  /** HTML or addresses shown in frames of their own. */
  readonly embeds?: readonly string[]
  readonly sources?: readonly Source[]
}

/** A running call of a tool. */
export interface ToolRun {
  readonly signal: AbortSignal
  /** The conversation so far, results of earlier rounds included. */
  readonly messages: ChatCompletionRequest['messages']
  /** Takes the place of that of the request, so that what a call tells can be noted with it. */
  readonly tell?: CallOrigin['tell']
}

/** What a person said to a call. */
export interface Approval {
  readonly decision: 'allow' | 'deny'
  readonly scope: 'once' | 'chat' | 'always'
}

/**
 * The tools of one request, their access checked. Calls of one belt never run after `close`.
 *
 * @NOTE Arguments are the parsed object the model sent, unchecked against the schema: dropping
 *   unknown names and mending types
 * is up to the belt, as it depends on the kind of tool.
 */
export interface ToolBelt {
  readonly specs: readonly ToolSpec[]
  /**
   * The name of the tool's origin, which sources of prompt-based calls are shown under: `<tool
   * id>/<function>`.
   */
  originOf(name: string): string
  /** Whether this function only reads, so that several calls may run side by side. */
  isParallel(name: string): boolean
  /**
   * Allows or denies a call before it runs; `ask` puts the question to the person and may be left
   * uncalled. Allowed when absent.
   */
  approve?(call: ToolCall, ask: () => Promise<Approval>): Promise<Approval['decision']>
  /** Whatever this throws is told to the model as text. */
  call(call: ToolCall, run: ToolRun): Promise<ToolResult>
  close?(): void | Promise<void>
}

/** What a request names its tools by. */
export type ToolRequest = Pick<ChatCompletionRequest, 'tool_ids' | 'tool_servers'>

/** Opens the tools a request names. Null, and not a promise, when it names none. */
export type OpenBelt = (
  context: RequestContext,
  request: ToolRequest,
) => ToolBelt | null | Promise<ToolBelt | null>

import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { RequestContext } from './request-context.ts'

/** Function definition for the model. */
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

/** Result of a tool. */
export interface ToolResult {
  /** Text for the model. */
  readonly text: string
  /** True if the text is an error message. */
  readonly isError?: boolean
  /** File items for the message. */
  readonly files?: readonly Readonly<Record<string, unknown>>[]
  /** HTML or URLs shown in separate frames. */
  readonly embeds?: readonly string[]
  readonly sources?: readonly Source[]
}

/** Context of a running tool call. */
export interface ToolRun {
  readonly signal: AbortSignal
  /** Conversation so far, including results of earlier rounds. */
  readonly messages: ChatCompletionRequest['messages']
  /** Replaces the request's `tell`, so that events of a call can be recorded with it. */
  readonly tell?: CallOrigin['tell']
}

/** Decision of the user about a call. */
export interface Approval {
  readonly decision: 'allow' | 'deny'
  readonly scope: 'once' | 'chat' | 'always'
}

/**
 * Tools of one request, with access checked. Calls of one belt never run after `close`.
 *
 * @NOTE Arguments are the parsed object the model sent, not validated against the schema: dropping
 *   unknown names and correcting types is up to the belt, because it depends on the kind of tool.
 */
export interface ToolBelt {
  readonly specs: readonly ToolSpec[]
  /**
   * Returns the name of the tool's origin, under which sources of prompt-based calls are shown:
   * `<tool id>/<function>`.
   */
  originOf(name: string): string
  /** Returns true if this function only reads, so that several calls may run in parallel. */
  isParallel(name: string): boolean
  /**
   * Allows or denies a call before it runs; `ask` asks the user and need not be called. If absent,
   * the call is allowed.
   */
  approve?(call: ToolCall, ask: () => Promise<Approval>): Promise<Approval['decision']>
  /** Runs a call; a thrown error is passed to the model as text. */
  call(call: ToolCall, run: ToolRun): Promise<ToolResult>
  close?(): void | Promise<void>
}

/** Fields with which a request names its tools. */
export type ToolRequest = Pick<ChatCompletionRequest, 'tool_ids' | 'tool_servers'>

/** Opens the tools a request names. Returns null, and not a promise, if it names none. */
export type OpenBelt = (
  context: RequestContext,
  request: ToolRequest,
) => ToolBelt | null | Promise<ToolBelt | null>

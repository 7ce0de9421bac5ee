import type { ChatCompletionRequest, CompletedRequest, Source } from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { ResolvedModel } from '../models/index.ts'
import type { Caller } from '../lib/http.ts'
import type { StreamFilter } from './filter-stream.ts'

/**
 * What plugins may know of the request they take part in, and how they speak to the person behind
 * it.
 */
export interface ExtensionContext extends CallOrigin {
  readonly resolved: ResolvedModel
}

/** The filters in force for one request. */
export interface RequestFilters {
  /**
   * Changes everything about a request before the model sees it, in order; what it throws ends the
   * request with 400.
   */
  readonly inlets: readonly ((
    body: ChatCompletionRequest,
  ) => ChatCompletionRequest | Promise<ChatCompletionRequest>)[]
  readonly stream: readonly StreamFilter[]
  /** A filter that reads attached files itself; the gateway leaves them alone then. */
  readonly handlesFiles?: boolean
  /** Ends what the stream hooks hold open; called once, when the answer is over. */
  close?(): void
}

/**
 * Chooses the filters of a request. Null, and not a promise, when there are none: such requests are
 * relayed as bytes.
 */
export type ChooseFilters = (
  context: ExtensionContext,
) => RequestFilters | null | Promise<RequestFilters | null>

/** A button of a plugin under a message; 404 for an id that is none for this caller. */
export type RunAction = (
  id: string,
  body: CompletedRequest,
  context: Contact & Pick<CallOrigin, 'signal' | 'headers'>,
) => Promise<Record<string, unknown>>

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
  approve?(call: ToolCall, ask: () => Promise<Approval>): Promise<'allow' | 'deny'>
  /** Whatever this throws is told to the model as text. */
  call(call: ToolCall, run: ToolRun): Promise<ToolResult>
  close?(): void | Promise<void>
}

/** What a person said to a call. */
export interface Approval {
  readonly decision: 'allow' | 'deny'
  readonly scope: 'once' | 'chat' | 'always'
}

/** Opens the tools a request names. Null, and not a promise, when it names none. */
export type OpenBelt = (
  context: ExtensionContext,
  request: ChatCompletionRequest,
) => ToolBelt | null | Promise<ToolBelt | null>

/** Of a finished conversation, who looks at it depends on these. */
export interface Finished extends Pick<CompletedRequest, 'model'> {
  readonly caller: Caller
  /** Filters with a switch the request named. */
  readonly filter_ids?: unknown
}

/** Whom an outlet speaks to, and when it is to end. */
export type OutletContext = Contact & Pick<CallOrigin, 'signal'>

/** Looks at or changes a finished conversation, its answer last. */
export interface Outlet {
  /**
   * False when nothing there would look at this conversation, so that it need not be read for it.
   */
  takesPart(finished: Finished): boolean | Promise<boolean>
  run(body: CompletedRequest, context: OutletContext): CompletedRequest | Promise<CompletedRequest>
}

/** How whatever takes part in an answer speaks to the person behind it. */
export type Contact = Pick<
  CallOrigin,
  'caller' | 'chatId' | 'messageId' | 'sessionId' | 'tell' | 'ask'
> & {
  /** Settles when all that was told is stored and sent. */
  readonly allTold: () => Promise<void>
}

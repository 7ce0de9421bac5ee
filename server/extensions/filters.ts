import type {
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompletedRequest,
} from '#contract/completions.ts'
import type { Caller } from '../lib/http.ts'
import type { RequestContext, RunningContact } from './request-context.ts'

/** Changes everything about a request before the model sees it. */
export type Inlet = (
  body: ChatCompletionRequest,
) => ChatCompletionRequest | Promise<ChatCompletionRequest>

/** Looks at or changes each chunk of an answer before anybody else sees it; null drops it. */
export type StreamFilter = (
  chunk: ChatCompletionChunk,
) => ChatCompletionChunk | null | Promise<ChatCompletionChunk | null>

/** The filters in force for one request. */
export interface RequestFilters {
  /** In order; what one of them throws ends the request with 400. */
  readonly inlets: readonly Inlet[]
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
  context: RequestContext,
) => RequestFilters | null | Promise<RequestFilters | null>

/** Of a finished conversation, who looks at it depends on these. */
export interface Finished extends Pick<CompletedRequest, 'model'> {
  readonly caller: Caller
  /** Filters with a switch the request named. */
  readonly filter_ids?: unknown
}

/** Looks at or changes a finished conversation, its answer last. */
export interface Outlet {
  /**
   * False when nothing there would look at this conversation, so that it need not be read for it.
   */
  takesPart(finished: Finished): boolean | Promise<boolean>
  run(body: CompletedRequest, contact: RunningContact): CompletedRequest | Promise<CompletedRequest>
}

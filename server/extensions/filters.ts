import type {
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompletedRequest,
} from '#contract/completions.ts'
import type { Caller } from '../lib/http.ts'
import type { RequestContext, RunningContact } from './request-context.ts'

/** Modifies any part of a request before the model sees it. */
export type Inlet = (
  body: ChatCompletionRequest,
) => ChatCompletionRequest | Promise<ChatCompletionRequest>

/** Inspects or modifies each chunk of an answer before it is used elsewhere; null drops it. */
export type StreamFilter = (
  chunk: ChatCompletionChunk,
) => ChatCompletionChunk | null | Promise<ChatCompletionChunk | null>

/** Active filters of one request. */
export interface RequestFilters {
  /** Inlets in order; an error thrown by one of them ends the request with 400. */
  readonly inlets: readonly Inlet[]
  readonly stream: readonly StreamFilter[]
  /** True if a filter reads attached files itself; the gateway then ignores them. */
  readonly handlesFiles?: boolean
  /** Releases the resources of the stream hooks; called once, when the answer is over. */
  close?(): void
}

/**
 * Chooses the filters of a request. Returns null, and not a promise, if there are none: such
 * requests are relayed as bytes.
 */
export type ChooseFilters = (
  context: RequestContext,
) => RequestFilters | null | Promise<RequestFilters | null>

/** Properties of a finished conversation that determine which outlets process it. */
export interface Finished extends Pick<CompletedRequest, 'model'> {
  readonly caller: Caller
  /** Ids of toggleable filters named in the request. */
  readonly filter_ids?: unknown
}

/** Inspects or modifies a finished conversation, whose last message is its answer. */
export interface Outlet {
  /** Returns false if no filter would process this conversation, so that it need not be read. */
  takesPart(finished: Finished): boolean | Promise<boolean>
  run(body: CompletedRequest, contact: RunningContact): CompletedRequest | Promise<CompletedRequest>
}

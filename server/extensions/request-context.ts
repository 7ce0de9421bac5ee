import type { CallOrigin } from '../lib/call-origin.ts'
import type { ResolvedModel } from './resolved-model.ts'

/** Function offered to the model. */
export interface OfferedTool {
  readonly toolId: string
  readonly spec: { readonly name: string }
}

/** Facts about a request that are known when its inlets have run and its tools and sources are there. */
export interface PreparedFacts {
  /** Text of the last question, without the sources added to it. */
  readonly userPrompt: string | null
  readonly systemPrompt: string | null
  readonly sources: readonly unknown[]
  readonly tools: readonly OfferedTool[]
}

/** Context of a request for extensions, with the model that answers it. */
export interface RequestContext extends CallOrigin {
  readonly resolved: ResolvedModel
  /** Absent until the request is prepared for its model. */
  readonly prepared?: () => PreparedFacts
}

/** Returns true if the origin has a model: completions do, calls from elsewhere do not. */
export const hasModel = (origin: CallOrigin): origin is RequestContext => 'resolved' in origin

/** Channel through which an extension communicates with the user of an answer. */
export type Contact = Pick<
  CallOrigin,
  'caller' | 'chatId' | 'messageId' | 'sessionId' | 'tell' | 'allTold' | 'ask'
>

/** Same as `Contact`, for work that ends with the answer. */
export type RunningContact = Contact & Pick<CallOrigin, 'signal' | 'lifetime'>

import type { CallOrigin } from '../lib/call-origin.ts'
import type { ResolvedModel } from './resolved-model.ts'

/** Context of a request for extensions, with the model that answers it. */
export interface RequestContext extends CallOrigin {
  readonly resolved: ResolvedModel
}

/** Returns true if the origin has a model: completions do, calls from elsewhere do not. */
export const hasModel = (origin: CallOrigin): origin is RequestContext => 'resolved' in origin

/** Channel through which an extension communicates with the user of an answer. */
export type Contact = Pick<
  CallOrigin,
  'caller' | 'chatId' | 'messageId' | 'sessionId' | 'tell' | 'allTold' | 'ask'
>

/** Same as `Contact`, for work that ends with the answer. */
export type RunningContact = Contact & Pick<CallOrigin, 'signal'>

import type { CallOrigin } from '../lib/call-origin.ts'
import type { ResolvedModel } from './resolved-model.ts'

/** A request something takes part in, with the model that answers it. */
export interface RequestContext extends CallOrigin {
  readonly resolved: ResolvedModel
}

/** Completions give the model along; calls from elsewhere have none. */
export const hasModel = (origin: CallOrigin): origin is RequestContext => 'resolved' in origin

/** How whatever takes part in an answer speaks to the person behind it. */
export type Contact = Pick<
  CallOrigin,
  'caller' | 'chatId' | 'messageId' | 'sessionId' | 'tell' | 'ask'
>

/** The same for work that ends with the answer. */
export type RunningContact = Contact & Pick<CallOrigin, 'signal'>

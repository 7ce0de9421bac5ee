import type { CallOrigin } from '../../lib/call-origin.ts'
import type { ForwardedPlace } from '../../lib/outgoing/forwarded-headers.ts'
import type { Caller } from '../../lib/http.ts'

/** Caller and context of calls of a tool server; outside of an answer there is no chat. */
export interface CallPlace extends ForwardedPlace {
  readonly caller: ForwardedPlace['caller'] & Pick<Caller, 'providerSession'>
  readonly userMessageId: string | null
  readonly task: string | null
}

export const placeOf = ({ caller, chatId, messageId, sent, task }: CallOrigin): CallPlace => ({
  caller,
  chatId,
  messageId,
  userMessageId: sent.parent_id ?? null,
  task,
})

export const placeOutside = (caller: CallPlace['caller']): CallPlace => ({
  caller,
  chatId: null,
  messageId: null,
  userMessageId: null,
  task: null,
})

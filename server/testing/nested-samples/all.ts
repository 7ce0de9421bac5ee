import { CHAT_SAMPLES } from './chat-completions.ts'
import { MESSAGES_SAMPLES } from './messages.ts'
import { RESPONSES_SAMPLES } from './responses.ts'
import type { NestedSample } from './sample.ts'

/** By the title of the protocol's table. */
export const NESTED_SAMPLES: Readonly<Record<string, Readonly<Record<string, NestedSample>>>> = {
  'Chat completions': CHAT_SAMPLES,
  Messages: MESSAGES_SAMPLES,
  Responses: RESPONSES_SAMPLES,
}

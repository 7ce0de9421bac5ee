import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'

/**
 * One change to a request on its way to the model; answers the same object when there is nothing to
 * do, and a promise only when it has to wait.
 */
export type Step = (
  parts: CompletionsParts,
  exchange: Exchange,
  request: ChatCompletionRequest,
) => ChatCompletionRequest | Promise<ChatCompletionRequest>

import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'

/**
 * One step in the preparation of a request; returns the same object if there is nothing to do, and
 * a promise only if it has to wait.
 */
export type Step = (
  parts: CompletionsParts,
  exchange: Exchange,
  request: ChatCompletionRequest,
) => ChatCompletionRequest | Promise<ChatCompletionRequest>

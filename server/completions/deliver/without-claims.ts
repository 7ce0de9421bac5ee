import type { ChatCompletionChunk } from '#contract/completions.ts'

/**
 * Fields that only the gateway may add to an answer. An upstream that sets them would pass its own
 * data off as the gateway's.
 */
const CLAIMS = ['sources', 'selected_model_id', 'chat_id', 'message_id', 'model_id'] as const

/**
 * Returns a chunk without the fields that readers attribute to the gateway; the same object if
 * there are none.
 */
export function withoutClaims(chunk: ChatCompletionChunk): ChatCompletionChunk {
  if (!CLAIMS.some((name) => name in chunk)) return chunk
  return Object.fromEntries(
    Object.entries(chunk).filter(([name]) => !(CLAIMS as readonly string[]).includes(name)),
  ) as ChatCompletionChunk
}

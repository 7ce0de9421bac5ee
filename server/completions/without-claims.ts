import type { ChatCompletionChunk } from '#contract/completions.ts'

/**
 * What the gateway alone says beside an answer. An upstream that says it would pass its own words
 * off as the gateway's.
 */
const CLAIMS = ['sources', 'selected_model_id', 'chat_id', 'message_id', 'model_id'] as const

/**
 * A chunk without fields that readers take for the gateway's; the same object when there are none.
 */
export function withoutClaims(chunk: ChatCompletionChunk): ChatCompletionChunk {
  if (!CLAIMS.some((name) => name in chunk)) return chunk
  return Object.fromEntries(
    Object.entries(chunk).filter(([name]) => !(CLAIMS as readonly string[]).includes(name)),
  ) as ChatCompletionChunk
}

import type { ChatCompletionRequest } from '#contract/completions.ts'

type Messages = ChatCompletionRequest['messages']

/**
 * Prepends a text to the system prompt of a conversation; adds a system message if there is none.
 */
export function withSystem(messages: Messages, system: string): Messages {
  const [first, ...rest] = messages
  if (first?.role !== 'system' || typeof first['content'] !== 'string')
    return [{ role: 'system', content: system }, ...messages]
  return [{ ...first, content: `${system}\n${first['content']}` }, ...rest]
}

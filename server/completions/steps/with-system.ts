import type { ChatCompletionRequest } from '#contract/completions.ts'

type Messages = ChatCompletionRequest['messages']

/** Puts a text in front of the system prompt of a conversation, which gets one when it has none. */
export function withSystem(messages: Messages, system: string): Messages {
  const [first, ...rest] = messages
  if (first?.role !== 'system' || typeof first['content'] !== 'string')
    return [{ role: 'system', content: system }, ...messages]
  return [{ ...first, content: `${system}\n${first['content']}` }, ...rest]
}

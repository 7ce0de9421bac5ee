import type { Message } from '#contract/chats.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { toMessages } from './tools/output-items.ts'
import { withoutBlocks } from './tools/render-call.ts'

type Messages = ChatCompletionRequest['messages']

/** A stored thread as a model reads it: calls and results as such instead of the blocks people see, files beside the questions. */
export const readStoredThread = (thread: readonly Message[]): Messages => thread.flatMap(toRequestMessages)

function toRequestMessages({ role, content, files, output }: Message): Messages {
  if (role !== 'assistant') return [{ role, content, ...(files && files.length > 0 && { files }) }]
  const structured = Array.isArray(output) ? toMessages(output) : []
  return structured.some((message) => message.role === 'tool') ? structured : [{ role, content: withoutBlocks(content) }]
}

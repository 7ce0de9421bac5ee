import type { Message } from '#contract/chats.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { toMessages } from './tools/output-items.ts'
import { hasBlocks, withoutBlocks } from './tools/render-call.ts'

type Messages = ChatCompletionRequest['messages']

/** A stored thread as a model reads it: calls and results as such instead of the blocks people see, files beside the questions. */
export const readStoredThread = (thread: readonly Message[]): Messages => thread.flatMap(toRequestMessages)

function toRequestMessages({ role, content, files, output }: Message): Messages {
  if (role === 'assistant') return toAnswerMessages(content, output)
  return [{ role, content, ...(files && files.length > 0 && { files }) }]
}

/** An answer as the model wrote it, as far as its parts are known. */
function toAnswerMessages(content: string, output: unknown): Messages {
  const structured = Array.isArray(output) ? toMessages(output) : []
  return structured.some(({ role }) => role === 'tool') ? structured : [{ role: 'assistant', content: withoutBlocks(content) }]
}

/** The same for a thread its client sent, which holds the texts only; the parts are looked up in the stored one. */
export function restoreCalls(request: ChatCompletionRequest, readThread: () => readonly Message[]): ChatCompletionRequest {
  const isShown = ({ role, content }: Messages[number]) => role === 'assistant' && typeof content === 'string' && hasBlocks(content)
  if (!request.messages.some(isShown)) return request
  const outputs = new Map(readThread().map(({ content, output }) => [content, output]))
  const messages = request.messages.flatMap((message) => {
    if (!isShown(message)) return [message]
    const content = String(message['content'])
    return toAnswerMessages(content, outputs.get(content))
  })
  return { ...request, messages }
}

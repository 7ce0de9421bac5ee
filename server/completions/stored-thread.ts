import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { SpokenMessage } from '../chats/index.ts'
import { hasBlocks, withoutBlocks } from '../lib/answer-blocks.ts'
import { eachInSteps } from '../lib/turns.ts'
import { toMessages } from './tools/output-items.ts'

type Messages = ChatCompletionRequest['messages']

/**
 * A stored thread as a model reads it: calls and results as such instead of the blocks people see,
 * files beside the questions. In steps.
 */
export function* toRequestThread(thread: readonly SpokenMessage[]): Generator<void, Messages> {
  const messages: Messages = []
  yield* eachInSteps(thread, (message) => messages.push(...toRequestMessages(message)))
  return messages
}

function toRequestMessages({ role, content, files, output }: SpokenMessage): Messages {
  if (role === 'assistant') return toAnswerMessages(content, output)
  return [{ role, content, ...(files && files.length > 0 && { files }) }]
}

/** An answer as the model wrote it, as far as its parts are known. */
function toAnswerMessages(content: string, output: unknown): Messages {
  const structured = Array.isArray(output) ? toMessages(output) : []
  return structured.some(({ role }) => role !== 'assistant')
    ? structured
    : [{ role: 'assistant', content: withoutBlocks(content) }]
}

/**
 * The same for a thread its client sent, which holds the texts only; the parts are looked up in the
 * stored one.
 */
export function restoreCalls(
  request: ChatCompletionRequest,
  readThread: () => Promise<readonly SpokenMessage[]>,
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  const isShown = ({ role, content }: Messages[number]) =>
    role === 'assistant' && typeof content === 'string' && hasBlocks(content)
  if (!request.messages.some(isShown)) return request
  return readThread().then((thread) => {
    const outputs = new Map(thread.map(({ content, output }) => [content, output]))
    const messages = request.messages.flatMap((message) => {
      if (!isShown(message)) return [message]
      const content = String(message['content'])
      return toAnswerMessages(content, outputs.get(content))
    })
    return { ...request, messages }
  })
}

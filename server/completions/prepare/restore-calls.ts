import type { ChatCompletionRequest } from '#contract/completions.ts'
import { hasBlocks } from '../../lib/text/answer-blocks.ts'
import { readStoredThread, toAnswerMessages } from './stored-thread.ts'
import type { Step } from './step.ts'

const isShown = ({ role, content }: ChatCompletionRequest['messages'][number]): boolean =>
  role === 'assistant' && typeof content === 'string' && hasBlocks(content)

/**
 * Replaces the blocks that display tool calls by the calls: a client sends only the texts of a
 * thread, and the calls are looked up in the stored one.
 */
export const restoreCalls: Step = (parts, { turn }, request) => {
  if (turn === null || !request.messages.some(isShown)) return request
  return readStoredThread(parts, turn).then((thread) => {
    const outputs = new Map(thread.map(({ content, output }) => [content, output]))
    const messages = request.messages.flatMap((message) => {
      if (!isShown(message)) return [message]
      const content = String(message['content'])
      return toAnswerMessages(content, outputs.get(content))
    })
    return { ...request, messages }
  })
}

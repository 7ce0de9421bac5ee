import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Step } from './step.ts'

/**
 * A stored chat may be continued without repeating it: an empty message list means the stored
 * thread.
 */
export const fillThread: Step = (request, { thread }) => {
  if (request.messages.length > 0) return request
  const messages = thread()
  return messages instanceof Promise
    ? messages.then((read) => withThread(request, read))
    : withThread(request, messages)
}

const withThread = (
  request: ChatCompletionRequest,
  messages: ChatCompletionRequest['messages'],
): ChatCompletionRequest => (messages.length === 0 ? request : { ...request, messages })

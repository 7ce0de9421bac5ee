import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import { whenReady } from '../../lib/when-ready.ts'
import type { Step } from './step.ts'
import { collectNames, fillNames } from './template-names.ts'

type RequestMessage = ChatCompletionRequest['messages'][number]

const TEMPLATED_ROLES = new Set(['system', 'user'])

/**
 * Fills `{{NAME}}` in system and user text from `variables`, and from the built-in names the caller
 * left out. A call without `variables` is never touched, so that text about templates stays text.
 */
export const applyVariables: Step = (parts, exchange, request) => {
  if (!request.variables) return request
  return whenReady(collectNames(parts, exchange, request.variables), (names) => {
    const fill = (text: string) => fillNames(text, names)
    return { ...request, messages: request.messages.map((message) => fillMessage(message, fill)) }
  })
}

function fillMessage(message: RequestMessage, fill: (text: string) => string): RequestMessage {
  if (!TEMPLATED_ROLES.has(message.role)) return message
  const { content } = message
  if (typeof content === 'string') return { ...message, content: fill(content) }
  if (!Array.isArray(content)) return message
  const parts = content.map((part: unknown) =>
    isRecord(part) && typeof part['text'] === 'string'
      ? { ...part, text: fill(part['text']) }
      : part,
  )
  return { ...message, content: parts }
}

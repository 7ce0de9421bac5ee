import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import { mapWhenReady, whenReady } from '../../lib/timing/when-ready.ts'
import type { Step } from './step.ts'
import { collectNames, NameFiller } from './template-names.ts'

type RequestMessage = ChatCompletionRequest['messages'][number]

const TEMPLATED_ROLES = new Set(['system', 'user'])

/**
 * Fills `{{NAME}}` in system and user text from `variables`, and from the built-in names the caller
 * left out. A call without `variables` is not changed, so that text about templates stays as it is.
 */
export const applyVariables: Step = (parts, exchange, request) => {
  if (!request.variables) return request
  return whenReady(collectNames(parts, exchange, request.variables), (names) => {
    const filler = new NameFiller(names)
    return whenReady(
      mapWhenReady(request.messages, (message) => fillMessage(message, filler)),
      (messages) => ({ ...request, messages }),
    )
  })
}

function fillMessage(
  message: RequestMessage,
  filler: NameFiller,
): RequestMessage | Promise<RequestMessage> {
  if (!TEMPLATED_ROLES.has(message.role)) return message
  const { content } = message
  if (typeof content === 'string')
    return whenReady(filler.fill(content), (filled) => ({ ...message, content: filled }))
  if (!Array.isArray(content)) return message
  const parts = mapWhenReady(content, (part: unknown) =>
    isRecord(part) && typeof part['text'] === 'string'
      ? whenReady(filler.fill(part['text']), (text): unknown => ({ ...part, text }))
      : part,
  )
  return whenReady(parts, (filled) => ({ ...message, content: filled }))
}

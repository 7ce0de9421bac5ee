import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { toReportedFault, withoutAnswer, type FaultContext } from '../upstream/upstream-faults.ts'
import { cleanMessage, FAILURE, hasFailed } from './convert-chunk.ts'

/**
 * Converts a whole answer into the internal form; throws 502 if the provider sent something else.
 */
export function toCompletion(value: unknown, model: string, faults: FaultContext): ChatCompletion {
  const fields = isRecord(value) ? value : {}
  if (fields['error'] !== undefined && fields['error'] !== null) {
    throw toReportedFault(fields['error'], faults)
  }
  const given = Array.isArray(fields['choices']) ? fields['choices'].filter(isRecord) : []
  if (!given.some((choice) => messageOf(choice) !== null)) throw withoutAnswer(faults)
  if (given.some(hasFailed)) throw toReportedFault(FAILURE, faults)
  const choices = given.map((choice, position) => ({
    ...choice,
    index: Number.isSafeInteger(choice['index']) ? choice['index'] : position,
    message: { role: 'assistant', content: null, ...toMessage(messageOf(choice) ?? {}) },
    finish_reason: typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : null,
  }))
  const { usage, ...rest } = fields
  return {
    ...rest,
    id: typeof fields['id'] === 'string' ? fields['id'] : 'chatcmpl',
    object: 'chat.completion',
    created:
      typeof fields['created'] === 'number' ? fields['created'] : Math.floor(Date.now() / 1000),
    model: typeof fields['model'] === 'string' ? fields['model'] : model,
    choices,
    ...(isRecord(usage) && { usage }),
  } as ChatCompletion
}

/** Returns the message of a choice, by any of its names. */
function messageOf({ message, delta, text }: Fields): Fields | null {
  if (isRecord(message)) return message
  return isRecord(delta) ? delta : typeof text === 'string' ? { content: text } : null
}

/** Converts a message of a whole answer, whose tool calls have all their fields. */
function toMessage(message: Fields): Fields {
  const cleaned = cleanMessage(message)
  const calls = cleaned['tool_calls']
  if (!Array.isArray(calls)) return cleaned
  const whole = (calls as readonly Fields[]).map((call) =>
    isRecord(call['function'])
      ? { ...call, function: { name: '', arguments: '', ...call['function'] } }
      : call,
  )
  return { ...cleaned, tool_calls: whole }
}

const isWholeCall = (call: unknown): boolean =>
  isRecord(call) &&
  (isRecord(call['custom']) ||
    (isRecord(call['function']) && typeof call['function']['arguments'] === 'string'))

/**
 * Returns true if SDKs can read a whole answer as it is: each choice has a message whose content is
 * text.
 */
export const isReadableCompletion = ({ choices }: Fields): boolean =>
  Array.isArray(choices) &&
  choices.length > 0 &&
  choices.every((choice) => {
    if (!isRecord(choice) || !isRecord(choice['message']) || hasFailed(choice)) return false
    const { content, tool_calls: calls } = choice['message']
    return (
      (content == null || typeof content === 'string') &&
      (calls == null || (Array.isArray(calls) && calls.every(isWholeCall)))
    )
  })

/** Converts the response of a provider that answers a streaming call in one piece into a frame. */
export function toSingleChunk(completion: ChatCompletion): ChatCompletionChunk {
  const choices = completion.choices.map(({ message, ...choice }) => ({
    ...choice,
    delta: {
      ...message,
      tool_calls: message.tool_calls?.map((call, index) => ({ index, ...call })),
    },
  }))
  return { ...completion, object: 'chat.completion.chunk', choices }
}

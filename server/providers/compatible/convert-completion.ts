import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import { toReportedFault, withoutAnswer, type FaultContext } from '../upstream-faults.ts'
import { cleanMessage } from './convert-chunk.ts'

/** A whole answer in the inner form; 502 when the provider sent something else. */
export function toCompletion(value: unknown, model: string, faults: FaultContext): ChatCompletion {
  const fields = isRecord(value) ? value : {}
  if (fields['error'] !== undefined && fields['error'] !== null) {
    throw toReportedFault(fields['error'], faults)
  }
  const given = Array.isArray(fields['choices']) ? fields['choices'].filter(isRecord) : []
  if (given.length === 0) throw withoutAnswer(faults)
  const choices = given.map((choice, position) => ({
    ...choice,
    index: Number.isSafeInteger(choice['index']) ? choice['index'] : position,
    message: { role: 'assistant', content: null, ...cleanMessage(isRecord(choice['message']) ? choice['message'] : {}) },
    finish_reason: typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : null,
  }))
  const { usage, ...rest } = fields
  return {
    ...rest,
    id: typeof fields['id'] === 'string' ? fields['id'] : 'chatcmpl',
    object: 'chat.completion',
    created: typeof fields['created'] === 'number' ? fields['created'] : Math.floor(Date.now() / 1000),
    model: typeof fields['model'] === 'string' ? fields['model'] : model,
    choices,
    ...(isRecord(usage) && { usage }),
  } as ChatCompletion
}

/** The frame of a provider that answers a streaming call in one piece. */
export function toSingleChunk(completion: ChatCompletion): ChatCompletionChunk {
  const choices = completion.choices.map(({ message, ...choice }) => ({
    ...choice,
    delta: { ...message, tool_calls: message.tool_calls?.map((call, index) => ({ index, ...call })) },
  }))
  return { ...completion, object: 'chat.completion.chunk', choices }
}

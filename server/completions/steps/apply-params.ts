import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Step } from './step.ts'

/** Parameters the gateway obeys itself; the model never sees them. */
const OWN_PARAMS = new Set([
  'system',
  'custom_params',
  'function_calling',
  'stream_response',
  'stream_delta_chunk_size',
  'reasoning_tags',
  'model',
  'messages',
  'stream',
])

/** Moves `params` into the request: the system prompt in front, sampling values beside it. What the request says itself wins. */
export const applyParams: Step = (request) => {
  const { params } = request
  if (!params) return request
  const custom = isRecord(params['custom_params']) ? params['custom_params'] : {}
  const sampling = Object.entries({ ...custom, ...params }).filter(([key, value]) => !OWN_PARAMS.has(key) && value != null)
  const { system } = params
  return {
    ...Object.fromEntries(sampling),
    ...request,
    messages: typeof system === 'string' && system !== '' ? withSystem(request.messages, system) : request.messages,
  }
}

function withSystem(messages: ChatCompletionRequest['messages'], system: string): ChatCompletionRequest['messages'] {
  const [first, ...rest] = messages
  if (first?.role !== 'system' || typeof first['content'] !== 'string') return [{ role: 'system', content: system }, ...messages]
  return [{ ...first, content: `${system}\n${first['content']}` }, ...rest]
}

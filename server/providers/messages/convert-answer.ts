import type { ChatCompletion } from '#contract/completions.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import { isSealed, toSealedDetail } from './sealed-thoughts.ts'
import { toReportedFault, withoutAnswer, type FaultContext } from '../upstream/upstream-faults.ts'

const FINISH_REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** Returns the finish reason in the terms of chat completions. */
export const toFinishReason = (reason: unknown): string =>
  ownValue(FINISH_REASONS, String(reason)) ?? 'stop'

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0

/**
 * Returns the token counts under the common names; this format counts cached input separately from
 * the rest.
 */
export function toUsage(usage: Fields): Fields {
  const cached = count(usage['cache_read_input_tokens'])
  const prompt = count(usage['input_tokens']) + cached + count(usage['cache_creation_input_tokens'])
  const completion = count(usage['output_tokens'])
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
  }
}

const joined = (blocks: readonly Fields[], field: string): string =>
  blocks.map((block) => (typeof block[field] === 'string' ? block[field] : '')).join('')

/**
 * Converts a whole answer into the internal form; throws 502 if the upstream sent something else.
 */
export function toCompletion(value: unknown, model: string, faults: FaultContext): ChatCompletion {
  const fields = isRecord(value) ? value : {}
  if (isRecord(fields['error'])) throw toReportedFault(fields['error'], faults)
  if (!Array.isArray(fields['content'])) throw withoutAnswer(faults)
  const blocks = fields['content'].filter(isRecord)
  const reasoning = joined(blocks, 'thinking')
  const content = joined(blocks, 'text')
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      id: String(id),
      type: 'function',
      function: { name: String(name), arguments: JSON.stringify(input ?? {}) },
    }))
  const sealed = blocks.filter(isSealed).map(toSealedDetail)
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(sealed.length > 0 && { reasoning_details: sealed }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    id: `chatcmpl-${newId()}`,
    object: 'chat.completion',
    created: nowSeconds(),
    model: typeof fields['model'] === 'string' ? fields['model'] : model,
    choices: [{ index: 0, message, finish_reason: toFinishReason(fields['stop_reason']) }],
    ...(isRecord(fields['usage']) && { usage: toUsage(fields['usage']) }),
  }
}

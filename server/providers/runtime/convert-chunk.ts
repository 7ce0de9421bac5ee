import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { toLogProbabilities } from '../upstream/log-probabilities.ts'

/** Counts and durations in the last line of the runtime; passed on beside the common ones. */
const COUNTERS: readonly string[] = [
  'prompt_eval_count',
  'eval_count',
  'total_duration',
  'load_duration',
  'prompt_eval_duration',
  'eval_duration',
]

/** Id and time shared by all frames of one answer. */
export interface AnswerHead {
  readonly id: string
  readonly created: number
  readonly model: string
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0

/** Returns the token counts under the common names, together with the runtime's own. */
export function toUsage(line: Fields): Record<string, unknown> {
  const prompt = count(line['prompt_eval_count'])
  const completion = count(line['eval_count'])
  const seconds = count(line['eval_duration']) / 1e9
  const own = Object.fromEntries(
    COUNTERS.filter((name) => typeof line[name] === 'number').map((name) => [name, line[name]]),
  )
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: prompt + completion,
    ...own,
    ...(seconds > 0 && { 'response_token/s': Math.round((completion / seconds) * 100) / 100 }),
  }
}

function toToolCalls(calls: readonly unknown[], head: AnswerHead, offset: number): Fields[] {
  return calls.filter(isRecord).map((call, position) => {
    const target = isRecord(call['function']) ? call['function'] : {}
    const index = offset + position
    return {
      index,
      id: typeof call['id'] === 'string' ? call['id'] : `call_${head.id.slice(-8)}_${index}`,
      type: 'function',
      function: {
        name: typeof target['name'] === 'string' ? target['name'] : '',
        arguments:
          typeof target['arguments'] === 'string'
            ? target['arguments']
            : JSON.stringify(target['arguments'] ?? {}),
      },
    }
  })
}

/**
 * Converts one line of the runtime into the delta of a frame. `toolCalls` is the number of earlier
 * calls.
 */
export function toDelta(line: Fields, head: AnswerHead, toolCalls: number): Fields {
  const message = isRecord(line['message']) ? line['message'] : {}
  const { content, thinking, tool_calls: calls } = message
  return {
    ...(typeof content === 'string' && content !== '' && { content }),
    ...(typeof thinking === 'string' && thinking !== '' && { reasoning_content: thinking }),
    ...(Array.isArray(calls) &&
      calls.length > 0 && { tool_calls: toToolCalls(calls, head, toolCalls) }),
  }
}

/** Returns a frame of the internal format. */
export function toFrame(
  head: AnswerHead,
  delta: Fields,
  { finish = null, scores }: { finish?: string | null; scores?: unknown } = {},
): ChatCompletionChunk {
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: [
      {
        index: 0,
        delta,
        finish_reason: finish,
        ...toLogProbabilities(Array.isArray(scores) ? scores : []),
      },
    ],
  }
}

/** Returns the finish reason of the runtime, in the terms of chat completions. */
export function toFinishReason(line: Fields, toolCalls: number): string {
  if (toolCalls > 0) return 'tool_calls'
  return line['done_reason'] === 'length' ? 'length' : 'stop'
}

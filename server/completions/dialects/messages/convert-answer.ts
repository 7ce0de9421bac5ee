import type { ChatCompletion, Source } from '#contract/completions.ts'
import type { MessagesAnswer } from '#contract/messages.ts'
import { randomHex } from '../../../lib/ids.ts'
import { readInnerJson } from '../../../lib/json/inner-json.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { ownValue } from '../../../lib/json/own-value.ts'
import { toSealedBlocks } from '../../../providers/index.ts'

/** Options of a caller that its answer depends on. */
export interface AnswerOptions {
  /** Model as the caller names it. */
  readonly model: string
  readonly showsThinking: boolean
  /** Returns an estimate of the request's tokens, reported before the upstream has counted them. */
  readonly estimateInput?: () => number
  /** Sources of the answer; a gateway field that SDKs ignore. */
  readonly sources?: readonly Source[]
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

export const newMessageId = (): string => `msg_${randomHex()}`
export const newToolUseId = (): string => `toolu_${randomHex()}`

/**
 * Returns the reason why an answer ended. Some upstreams report `stop` although they called tools.
 */
export function toStopReason(
  finish: string | null,
  { hasCalls, isRefused }: { hasCalls: boolean; isRefused: boolean },
): string {
  if (isRefused) return 'refusal'
  return hasCalls && finish !== 'length'
    ? 'tool_use'
    : (ownValue(STOP_REASONS, finish ?? 'stop') ?? 'end_turn')
}

const count = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.floor(value) : 0

/**
 * Returns token counts; as in this API, input read from a cache is listed separately from the rest
 * of the input.
 */
export function toUsage(
  usage: Readonly<Record<string, unknown>> | null | undefined,
): MessagesAnswer['usage'] {
  const details = usage?.['prompt_tokens_details']
  const cached = count(isRecord(details) ? details['cached_tokens'] : 0)
  const input = count(usage?.['prompt_tokens'] ?? usage?.['input_tokens'])
  return {
    input_tokens: Math.max(0, input - cached),
    output_tokens: count(usage?.['completion_tokens'] ?? usage?.['output_tokens']),
    ...(cached > 0 && { cache_read_input_tokens: cached }),
  }
}

function parseInput(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return {}
  // Malformed arguments are passed on as the model wrote them, so that the caller can report them
  // to the model.
  const { value } = readInnerJson(text) ?? { value: text }
  return isRecord(value) ? value : { input: value }
}

/** Converts a whole answer into the messages format. */
export function toMessagesAnswer(
  completion: ChatCompletion,
  { model, showsThinking, sources }: AnswerOptions,
): MessagesAnswer {
  const choice = completion.choices[0]
  const { content, reasoning_content: reasoning, tool_calls: calls = [] } = choice?.message ?? {}
  const refusal = choice?.message['refusal']
  const isRefused = typeof refusal === 'string' && refusal !== ''
  const text = (content ?? '') + (isRefused ? refusal : '')
  const sealed = toSealedBlocks(choice?.message['reasoning_details'])
  const thoughts =
    sealed.length > 0
      ? sealed
      : reasoning
        ? [{ type: 'thinking', thinking: reasoning, signature: '' }]
        : []
  const toolUses = calls.map((call) => ({
    type: 'tool_use',
    id: call.id ?? newToolUseId(),
    name: call.function?.name ?? '',
    input: parseInput(call.function?.arguments),
  }))
  return {
    id: newMessageId(),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(showsThinking
        ? thoughts.map(({ type, ...rest }) => ({ type: String(type), ...rest }))
        : []),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...toolUses,
    ],
    stop_reason: toStopReason(choice?.finish_reason ?? null, {
      hasCalls: toolUses.length > 0,
      isRefused,
    }),
    stop_sequence: null,
    usage: toUsage(completion.usage),
    ...(sources && { sources }),
  }
}

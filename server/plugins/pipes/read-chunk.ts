import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'

type Choice = ChatCompletionChunk['choices'][number]

/** Authors return numbers and objects instead of text. */
const toText = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

/** Returns a call with its arguments as text. */
function readCall(call: Fields): Fields {
  const target = call['function']
  if (!isRecord(target) || target['arguments'] === undefined) return call
  return { ...call, function: { ...target, arguments: toText(target['arguments']) ?? '' } }
}

function readDelta(told: Fields): Choice['delta'] {
  const { role, content, reasoning_content: reasoning, tool_calls: calls, ...rest } = told
  return {
    ...rest,
    ...(typeof role === 'string' && { role }),
    ...(content !== undefined && { content: toText(content) }),
    ...(reasoning !== undefined && { reasoning_content: toText(reasoning) }),
    ...(Array.isArray(calls) && {
      tool_calls: calls.filter(isRecord).map(readCall) as NonNullable<
        Choice['delta']['tool_calls']
      >,
    }),
  }
}

/** Returns the content of a choice, under any of its names. */
function toldBy({ message, delta, text }: Fields): Fields | null {
  if (isRecord(delta)) return delta
  return isRecord(message) ? message : typeof text === 'string' ? { content: text } : null
}

/** Returns true if a choice has content. */
export const hasMessage = (choice: Fields): boolean => toldBy(choice) !== null

function readChoice(choice: Fields, place: number): Choice {
  const {
    message: _message,
    delta: _delta,
    text: _text,
    index,
    finish_reason: finish,
    ...rest
  } = choice
  const told = toldBy(choice) ?? {}
  return {
    ...rest,
    index: typeof index === 'number' ? index : place,
    finish_reason: typeof finish === 'string' ? finish : null,
    delta: readDelta(told),
  }
}

/**
 * Converts a chunk of a pipe, or a whole completion, to a chunk; missing header fields are taken
 * from `head`.
 */
export function readChunk(
  value: Fields,
  choices: readonly unknown[],
  head: Required<Pick<ChatCompletionChunk, 'id' | 'object' | 'created' | 'model'>>,
): ChatCompletionChunk {
  const { id, created, model, usage, choices: _choices, ...rest } = value
  return {
    ...rest,
    id: typeof id === 'string' ? id : head.id,
    object: head.object,
    created: typeof created === 'number' ? created : head.created,
    model: typeof model === 'string' ? model : head.model,
    choices: choices.filter(isRecord).map(readChoice),
    ...(isRecord(usage) && { usage }),
  }
}

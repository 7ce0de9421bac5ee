import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'

/** Returns tool calls with their arguments as text, whatever form the provider used. */
function cleanToolCalls(calls: readonly unknown[]): Fields[] {
  return calls.filter(isRecord).map((call, position) => {
    if (isRecord(call['custom']) && !isRecord(call['function'])) return { index: position, ...call }
    const { id, type, ...others } = call
    const target = isRecord(call['function']) ? call['function'] : {}
    const { arguments: given, name, ...rest } = target
    const text = given === undefined || typeof given === 'string' ? given : JSON.stringify(given)
    return {
      ...others,
      ...(typeof id === 'string' && { id }),
      ...(typeof type === 'string' && { type }),
      index: Number.isSafeInteger(call['index']) ? call['index'] : position,
      function: {
        ...rest,
        ...(typeof name === 'string' && { name }),
        ...(text !== undefined && { arguments: text }),
      },
    }
  })
}

/**
 * Converts the message or delta of a choice into the internal form: text is text, both spellings of
 * reasoning become `reasoning_content`, and fields of a wrong type are left out. Unknown fields are
 * kept.
 */
export function cleanMessage(message: Fields): Fields {
  const {
    content,
    reasoning,
    reasoning_content: reasoningContent,
    tool_calls: toolCalls,
    role,
    ...rest
  } = message
  const thought = typeof reasoningContent === 'string' ? reasoningContent : reasoning
  return {
    ...(typeof role === 'string' && { role }),
    ...((typeof content === 'string' || content === null) && { content }),
    ...(typeof content === 'number' && { content: String(content) }),
    ...(typeof content === 'object' &&
      content !== null && { content: joinParts([content].flat()) }),
    ...(typeof thought === 'string' && thought !== '' && { reasoning_content: thought }),
    ...(Array.isArray(toolCalls) && { tool_calls: cleanToolCalls(toolCalls) }),
    ...rest,
    ...withPictures(content, rest['images']),
  }
}

/** Moves images among the content parts to the field other providers use. */
function withPictures(content: unknown, images: unknown): Fields | null {
  if (!Array.isArray(content)) return null
  const found = content.filter((part) => isRecord(part) && part['type'] === 'image_url')
  return found.length === 0
    ? null
    : { images: [...(Array.isArray(images) ? (images as unknown[]) : []), ...found] }
}

function joinParts(parts: readonly unknown[]): string {
  return parts
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

/** Returns true if SDKs can read the function of a tool call, of which a chunk may hold a part. */
export const isReadableFunction = ({ function: target = {} }: Fields): boolean =>
  isRecord(target) && (target['arguments'] === undefined || typeof target['arguments'] === 'string')

const isReadableCall = (call: unknown): boolean =>
  isRecord(call) && Number.isSafeInteger(call['index']) && isReadableFunction(call)

/**
 * Returns true if SDKs can read a choice of a chunk as it is; choices of plain completions have a
 * text field instead.
 */
const isReadable = (choice: Fields): boolean => {
  const { index, delta, text } = choice
  if (!Number.isSafeInteger(index)) return false
  if (!isRecord(delta)) return typeof text === 'string'
  const { content, tool_calls: calls } = delta
  return (
    (content == null || typeof content === 'string') &&
    (calls == null || (Array.isArray(calls) && calls.every(isReadableCall)))
  )
}

/** Returns true if a choice failed: some providers report an error only as the finish reason. */
export const hasFailed = (choice: Fields): boolean => choice['finish_reason'] === 'error'
export const FAILURE = {
  message: 'The provider ended its answer with an error.',
  type: 'server_error',
  code: 'upstream_failed',
}

/**
 * Returns a chunk in a form SDKs can read, usually the same object; null if its choices are
 * invalid, so that a part of the answer is lost.
 */
export function mendChunk(value: Fields): Fields | null {
  const { choices, error } = value
  if (choices === undefined || choices === null) return value
  if (!Array.isArray(choices) || !choices.every(isRecord)) return null
  const failure =
    (error === undefined || error === null) && choices.some(hasFailed) ? { error: FAILURE } : null
  if (choices.every(isReadable)) return failure ? { ...value, ...failure } : value
  return { ...value, choices: choices.map(cleanChoice), ...failure }
}

function cleanChoice(choice: Fields, position: number): Fields {
  const { index, delta, message, finish_reason: finish, ...rest } = choice
  const text = isRecord(delta) ? delta : isRecord(message) ? message : {}
  return {
    ...rest,
    index: Number.isSafeInteger(index) ? index : position,
    delta: cleanMessage(text),
    finish_reason: typeof finish === 'string' ? finish : null,
  }
}

/**
 * Converts a provider's object into an internal frame; returns null for anything that is not one.
 * An empty `error` is left out.
 */
export function toChunk(value: Fields): ChatCompletionChunk | null {
  const { choices, usage, id, object, created, model, error: _, ...rest } = value
  // Pipelines send events of their own between the chunks; other objects are ignored.
  if (!Array.isArray(choices) && !isRecord(usage) && !isRecord(value['event'])) return null
  const chunk = {
    ...(typeof id === 'string' && { id }),
    ...(typeof object === 'string' && { object }),
    ...(typeof created === 'number' && { created }),
    ...(typeof model === 'string' && { model }),
    ...rest,
    choices: Array.isArray(choices) ? choices.filter(isRecord).map(cleanChoice) : [],
    ...(isRecord(usage) && { usage }),
  }
  return chunk as ChatCompletionChunk
}

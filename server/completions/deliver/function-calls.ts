import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'

type Calls = ChatCompletionChunk['choices'][number]['delta']['tool_calls']

/**
 * Returns true if a caller declares functions in the form that preceded tools. It reads calls in
 * the same form: `function_call`, one in a message.
 */
export const readsFunctionCalls = (body: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(body['functions']) && body['functions'].length > 0 && body['tools'] == null

/**
 * Returns true if a caller declares tools in either form: they are forwarded, the caller runs them,
 * and the gateway adds none of its own.
 */
export const bringsTools = (body: Readonly<Record<string, unknown>>): boolean =>
  readsFunctionCalls(body) || (Array.isArray(body['tools']) && body['tools'].length > 0)

const toReason = (reason: string | null | undefined): string | null =>
  reason === 'tool_calls' ? 'function_call' : (reason ?? null)

/** Returns the first of the calls in the form that preceded tools. */
function toFunctionCall(calls: Calls): { function_call?: object } {
  const call = calls?.find(({ index }) => (index ?? 0) === 0)?.function
  return call ? { function_call: call } : {}
}

/** Returns a chunk with its calls in the form that preceded tools. */
export const toFunctionChunk = (chunk: ChatCompletionChunk): ChatCompletionChunk => ({
  ...chunk,
  choices: chunk.choices.map((choice) => {
    const { tool_calls: calls, ...delta } = choice.delta
    return {
      ...choice,
      delta: { ...delta, ...toFunctionCall(calls) },
      finish_reason: toReason(choice.finish_reason),
    }
  }),
})

/** Returns an answer with its calls in the form that preceded tools. */
export const toFunctionCompletion = (completion: ChatCompletion): ChatCompletion => ({
  ...completion,
  choices: completion.choices.map((choice) => {
    const { tool_calls: calls, ...message } = choice.message
    return {
      ...choice,
      message: { ...message, ...toFunctionCall(calls) },
      finish_reason: toReason(choice.finish_reason),
    }
  }),
})

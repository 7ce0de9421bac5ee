import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { CompletionFrame } from '../../providers/index.ts'

/** Id of the only call a message can have in the form that preceded tools, which has no ids. */
const CALL_ID = 'call_function'

/**
 * Turns calls in the form that preceded tools into calls of tools, the only form that answers are
 * collected and stored in.
 */
export async function* readFunctionCalls(
  frames: AsyncGenerator<CompletionFrame, void, void>,
): AsyncGenerator<CompletionFrame, void, void> {
  for await (const frame of frames)
    yield 'choices' in frame ? toToolChunk(frame as ChatCompletionChunk) : frame
}

const toToolChunk = (chunk: ChatCompletionChunk): ChatCompletionChunk => ({
  ...chunk,
  choices: chunk.choices.map((choice) => {
    const { function_call: call, ...delta } = choice.delta
    const isEnd = choice.finish_reason === 'function_call'
    return {
      ...choice,
      delta: isRecord(call) ? { ...delta, tool_calls: [toToolCall(call)] } : delta,
      ...(isEnd && { finish_reason: 'tool_calls' }),
    }
  }),
})

function toToolCall({ name, arguments: given }: Record<string, unknown>) {
  return {
    index: 0,
    ...(typeof name === 'string' && { id: CALL_ID, type: 'function' }),
    function: {
      ...(typeof name === 'string' && { name }),
      ...(typeof given === 'string' && { arguments: given }),
    },
  }
}

import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import type { TextCompletion } from '#contract/text-completions.ts'

type TextChoice = TextCompletion['choices'][number]

/** Maps finish reasons of conversations that do not exist in this format. */
const toFinish = (reason: string | null | undefined): string | null =>
  reason === 'tool_calls' || reason === 'function_call' ? 'stop' : (reason ?? null)

/** Returns the text of a model, or its refusal. */
const textOf = ({ text, content, refusal }: Record<string, unknown>): string =>
  [text, content, refusal].find(
    (value): value is string => typeof value === 'string' && value !== '',
  ) ?? ''

/** Converts a whole answer to a conversation. */
export const fromCompletion = ({ choices, ...rest }: ChatCompletion): TextCompletion => ({
  ...rest,
  choices: choices.map(({ index, message, finish_reason: finish }) => ({
    index,
    text: textOf(message),
    logprobs: null,
    finish_reason: toFinish(finish),
  })),
})

/**
 * Returns the choices of a chunk of either kind; none for chunks without a counterpart here, such
 * as reasoning.
 */
export function fromChunk({ choices }: ChatCompletionChunk): TextChoice[] {
  return choices.flatMap(({ index, delta, finish_reason: finish, text, logprobs }) => {
    const said = textOf({ ...delta, text })
    return said === '' && !finish
      ? []
      : [{ index, text: said, logprobs: logprobs ?? null, finish_reason: toFinish(finish) }]
  })
}

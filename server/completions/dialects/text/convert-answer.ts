import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import type { TextCompletion } from '#contract/text-completions.ts'

type TextChoice = TextCompletion['choices'][number]

/** Reasons of conversations this format does not know. */
const toFinish = (reason: string | null | undefined): string | null =>
  reason === 'tool_calls' || reason === 'function_call' ? 'stop' : (reason ?? null)

/** What a model said, or said instead of an answer. */
const textOf = ({ text, content, refusal }: Record<string, unknown>): string =>
  [text, content, refusal].find(
    (value): value is string => typeof value === 'string' && value !== '',
  ) ?? ''

/** The choices of a whole answer to a conversation. */
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
 * The choices of a chunk of either kind; none for chunks that say nothing here, such as thoughts.
 */
export function fromChunk({ choices }: ChatCompletionChunk): TextChoice[] {
  return choices.flatMap(({ index, delta, finish_reason: finish, text, logprobs }) => {
    const said = textOf({ ...delta, text })
    return said === '' && !finish
      ? []
      : [{ index, text: said, logprobs: logprobs ?? null, finish_reason: toFinish(finish) }]
  })
}

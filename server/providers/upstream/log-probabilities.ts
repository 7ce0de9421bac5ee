import { isRecord } from '../../lib/is-record.ts'

/** Returns the log probabilities of the tokens of a choice, as its provider sent them. */
export function logProbabilitiesOf(choice: Readonly<Record<string, unknown>>): unknown[] {
  const { logprobs } = choice
  return isRecord(logprobs) && Array.isArray(logprobs['content']) ? logprobs['content'] : []
}

/** Returns the fields of a choice that tell them; none if there are none. */
export const toLogProbabilities = (tokens: readonly unknown[]) =>
  tokens.length > 0 ? { logprobs: { content: [...tokens], refusal: null } } : {}

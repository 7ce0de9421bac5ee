import type { Migration } from './migration.ts'

/**
 * Returns the token count reported for an answer, as an integer small enough that sums of many do
 * not overflow.
 */
const toTokens = (...names: readonly string[]): string => {
  const found = names.map((name) => `extra ->> '$.usage.${name}'`).join(', ')
  return `min(1000000000, max(0, coalesce(cast(coalesce(${found}) as integer), 0)))`
}

const INPUT = toTokens('input_tokens', 'prompt_tokens', 'prompt_eval_count')
const OUTPUT = toTokens('output_tokens', 'completion_tokens', 'eval_count')

/** Answers by time with their counted values, so that counting never reads a text. */
export const migration: Migration = {
  id: '0044-analytics',
  statements: [
    `create index message_answers on message (timestamp, chat_id, model, (${INPUT}), (${OUTPUT})) where role = 'assistant'`,
  ],
}

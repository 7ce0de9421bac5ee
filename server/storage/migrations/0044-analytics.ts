import type { Migration } from './migration.ts'

/** What an answer says it took, as a whole number that sums of many cannot overflow. */
const toTokens = (...names: readonly string[]): string => {
  const found = names.map((name) => `extra ->> '$.usage.${name}'`).join(', ')
  return `min(1000000000, max(0, coalesce(cast(coalesce(${found}) as integer), 0)))`
}

const INPUT = toTokens('input_tokens', 'prompt_tokens', 'prompt_eval_count')
const OUTPUT = toTokens('output_tokens', 'completion_tokens', 'eval_count')

/** Answers by time with what is counted of them, so that counting never reads a text. */
export const migration: Migration = {
  id: '0044-analytics',
  statements: [
    `create index message_answers on message (timestamp, chat_id, model, (${INPUT}), (${OUTPUT})) where role = 'assistant'`,
  ],
}

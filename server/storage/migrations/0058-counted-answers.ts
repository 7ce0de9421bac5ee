import type { Migration } from './migration.ts'

/** Token counts of an answer, as in the index of 0044. */
const COUNTS = {
  input_tokens: 'input_tokens,prompt_tokens,prompt_eval_count',
  output_tokens: 'output_tokens,completion_tokens,eval_count',
} as const

const COLUMNS = Object.entries(COUNTS).map(
  ([column, names]) =>
    `add column ${column} bigint generated always as (token_count(extra, '${names}')) stored`,
)

/**
 * Stores the token counts of answers in columns on PostgreSQL, where an index returns no
 * expressions, so that counting parses the fields of every answer. It also recreates the functions,
 * of which `json_each` becomes a part of the statements that use it.
 */
export const migration: Migration = {
  id: '0058-counted-answers',
  statements: [],
  postgres: [
    `alter table message ${COLUMNS.join(', ')}`,
    'drop index message_answers',
    "create index message_answers on message (timestamp, chat_id, model, input_tokens, output_tokens) where role = 'assistant'",
  ],
}

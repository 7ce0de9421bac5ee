import type { Migration } from './migration.ts'

const WORD_INDEXES = [
  'chat_search',
  'message_search',
  'memory_search',
  'note_search',
  'retrieval_words',
] as const
/** Far more parts than ever exist, so that no transaction merges all of them at its end. */
const PARTS_OF_A_CRISIS = 1000
/** Number of parts of the same size that are worth merging in short steps. */
const PARTS_TO_MERGE = 16

const mergeInSteps = (table: string): string[] => [
  `insert into ${table} (${table}, rank) values ('crisismerge', ${PARTS_OF_A_CRISIS})`,
  `insert into ${table} (${table}, rank) values ('usermerge', ${PARTS_TO_MERGE})`,
]

export const migration: Migration = {
  id: '0025-parts-of-indexes',
  statements: WORD_INDEXES.flatMap(mergeInSteps),
}

import type { Migration } from './migration.ts'

const COUNTED_TABLES = {
  retrieval_document: [
    'retrieval_document_changes_0',
    'retrieval_document_changes_1',
    'retrieval_document_changes_2',
  ],
  retrieval_member: ['retrieval_member_changes_insert', 'retrieval_member_changes_delete'],
  // Words are removed together with their passages, many at once.
  retrieval_chunk: ['retrieval_chunk_leaves'],
} as const

const dropTrigger = (table: string, name: string): string[] => [
  `drop trigger ${name} on ${table}`,
  `drop function ${name}()`,
]

/** The words of a passage as one vector, and how many there are. */
const WORDS = `create table retrieval_words (
  rowid bigint primary key,
  document_seq bigint not null,
  length integer not null,
  words tsvector not null
)`

/**
 * Documents are indexed on PostgreSQL as well. Nobody there asks how often the index changed, and
 * counting it would put all who write in each other's way. The tables of vectors are made when their
 * number of values is met, as on SQLite.
 */
export const migration: Migration = {
  id: '0049-documents-on-postgres',
  statements: [],
  postgres: [
    ...Object.entries(COUNTED_TABLES).flatMap(([table, names]) =>
      names.flatMap((name) => dropTrigger(table, name)),
    ),
    'drop table retrieval_words',
    WORDS,
    'create index retrieval_words_by_words on retrieval_words using gin (words)',
    // All words of a version, from which the usual length of a passage follows.
    'alter table retrieval_document add column words bigint not null default 0',
  ],
}

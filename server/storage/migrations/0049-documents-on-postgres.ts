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

/** Words of a passage as one vector, and their number. */
const WORDS = `create table retrieval_words (
  rowid bigint primary key,
  document_seq bigint not null,
  length integer not null,
  words tsvector not null
)`

/**
 * Documents are indexed on PostgreSQL as well. The number of index changes is not used there, and
 * counting it would make all writers conflict. The tables of vectors are created when their number
 * of values is encountered, as on SQLite.
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
    // Number of words of a version, from which the average length of a passage is derived.
    'alter table retrieval_document add column words bigint not null default 0',
  ],
}

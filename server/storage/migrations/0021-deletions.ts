import type { Migration } from './migration.ts'

/**
 * Deletions that are hidden from all users while their rows are still being removed. `subject` is
 * the owner, or the upper limit.
 */
const DELETION = `create table deletion (
  id integer primary key,
  kind text not null check (kind in ('account', 'files', 'file', 'chats')),
  subject text not null,
  title text not null,
  created_at integer not null,
  unique (kind, subject)
) strict`

/**
 * Tables with an owner that could still be written to for an account while its rows are being
 * removed.
 */
const OWNED_TABLES = [
  'chat',
  'folder',
  'file',
  'blob',
  'memory',
  'note',
  'prompt',
  'knowledge',
  'feedback',
  'api_key',
  'user_session',
] as const

/** Like the reference to the owner after the account is deleted. */
const refuseOwner = (table: string): string =>
  `create trigger ${table}_needs_account before insert on ${table} ` +
  'when (select deleted_at from user where id = new.user_id) is not null ' +
  "begin select raise(abort, 'The account of the owner was deleted.'); end"

/** Full-text indexes with rows that can be deleted. */
const WORD_INDEXES = [
  'chat_search',
  'message_search',
  'memory_search',
  'note_search',
  'retrieval_words',
] as const

/**
 * Merging is part of tidying the indexes in short steps, not of the transaction that deletes a row.
 */
const mergeLater = (table: string): string =>
  `insert into ${table} (${table}, rank) values ('deletemerge', 0)`

export const migration: Migration = {
  id: '0021-deletions',
  statements: [
    'alter table user add column deleted_at integer',
    DELETION,
    // Partial indexes cannot find the rows of a deleted account.
    'create index chat_by_owner on chat (user_id)',
    'create index folder_by_owner on folder (user_id)',
    'create index shared_chat_by_owner on shared_chat (user_id)',
    ...OWNED_TABLES.map(refuseOwner),
    ...WORD_INDEXES.map(mergeLater),
  ],
}

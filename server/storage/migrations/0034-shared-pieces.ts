import type { Migration } from './migration.ts'

/**
 * Content of a chat's share link, as a text in pieces; `version` 0 of a link means that it is
 * stored in `snapshot` as a whole.
 */
const SHARED_PIECE = `create table shared_piece (
  seq integer primary key,
  chat_id text not null references chat (id) on delete cascade,
  version integer not null,
  text text not null
) strict`

export const migration: Migration = {
  id: '0034-shared-pieces',
  statements: [
    SHARED_PIECE,
    'create index shared_piece_by_chat on shared_piece (chat_id, version, seq)',
    'alter table shared_chat add column version integer not null default 0',
    // Ids that occur in the text of a version in pieces, besides those of messages.
    "alter table shared_chat add column mentions text not null default ''",
  ],
}

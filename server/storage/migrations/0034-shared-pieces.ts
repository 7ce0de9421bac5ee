import type { Migration } from './migration.ts'

/**
 * What the link of a chat shows, as a text in pieces; `version` 0 of a link means that it stands in
 * `snapshot` as a whole.
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
    // Ids that stand in the text of a version in pieces, beside those of messages.
    "alter table shared_chat add column mentions text not null default ''",
  ],
}

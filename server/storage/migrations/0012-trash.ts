import type { Migration } from './migration.ts'

/** Former folders of chats whose folder was deleted, so that they are restored together. */
const FOLDER_LEAVER = `create table folder_leaver (
  chat_id text primary key references chat (id) on delete cascade,
  folder_id text not null references folder (id) on delete cascade
) strict, without rowid`

export const migration: Migration = {
  id: '0012-trash',
  statements: [
    'alter table folder add column deleted_at integer',
    'drop index folder_by_name',
    "create unique index folder_by_name on folder (user_id, coalesce(parent_id, ''), name collate nocase) where deleted_at is null",
    'create index folder_in_trash on folder (deleted_at) where deleted_at is not null',
    FOLDER_LEAVER,
    'create index folder_leaver_by_folder on folder_leaver (folder_id)',
    'create index chat_in_trash_of_user on chat (user_id, deleted_at) where deleted_at is not null',
  ],
}

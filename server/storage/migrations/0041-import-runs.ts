import type { Migration } from './migration.ts'

const FOLDERS = `create table import_folder (
  user_id text not null references user (id) on delete cascade,
  run_id text not null,
  folder_id text not null references folder (id) on delete cascade,
  primary key (user_id, run_id, folder_id)
) strict, without rowid`

/**
 * The import that created a chat, and the chat's last change at that time: a chat changed since is
 * not undone.
 */
export const migration: Migration = {
  id: '0041-import-runs',
  statements: [
    'alter table chat_import add column run_id text',
    'alter table chat_import add column stored_at integer',
    'create index chat_import_by_run on chat_import (user_id, run_id) where run_id is not null',
    FOLDERS,
    'create index import_folder_by_folder on import_folder (folder_id)',
  ],
}

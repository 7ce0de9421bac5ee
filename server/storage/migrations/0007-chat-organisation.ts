import type { Migration } from './migration.ts'

const FOLDER = `create table folder (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  parent_id text references folder (id) on delete cascade,
  name text not null,
  meta text,
  data text,
  is_expanded integer not null default 0,
  created_at integer not null,
  updated_at integer not null
) strict`

/** Mirrors the tags of the chat body, so that chats can be found by tag. */
const CHAT_TAG = `create table chat_tag (
  chat_id text not null references chat (id) on delete cascade,
  tag_id text not null,
  user_id text not null,
  name text not null,
  primary key (chat_id, tag_id)
) strict, without rowid`

const FILL_CHAT_TAG = `insert or ignore into chat_tag (chat_id, tag_id, user_id, name)
  select chat_id, replace(lower(name), ' ', '_'), user_id, name from (
    select c.id as chat_id, c.user_id, trim(case t.type when 'object' then json_extract(t.value, '$.name') else t.value end) as name
    from chat c, json_each(c.tags) t where t.type in ('text', 'object')) named
  where name <> ''`

const SHARED_CHAT = `create table shared_chat (
  id text primary key,
  chat_id text not null unique references chat (id) on delete cascade,
  user_id text not null,
  is_open integer not null default 1,
  snapshot text not null,
  created_at integer not null,
  updated_at integer not null
) strict`

const CHAT_IMPORT = `create table chat_import (
  user_id text not null references user (id) on delete cascade,
  source text not null,
  external_id text not null,
  chat_id text not null references chat (id) on delete cascade,
  fingerprint text not null,
  imported_at integer not null,
  primary key (user_id, source, external_id)
) strict, without rowid`

/** Chats whose messages after `after_seq` have not been indexed for the search yet. */
const INDEX_BACKLOG = `create table index_backlog (
  chat_id text primary key references chat (id) on delete cascade,
  after_seq integer not null
) strict, without rowid`

export const migration: Migration = {
  id: '0007-chat-organisation',
  statements: [
    FOLDER,
    "create unique index folder_by_name on folder (user_id, coalesce(parent_id, ''), name collate nocase)",
    'create index folder_by_parent on folder (parent_id) where parent_id is not null',
    'alter table chat add column last_read_at integer',
    // There were no folders before this step, so these ids refer to nothing.
    'update chat set folder_id = null, share_id = null where folder_id is not null or share_id is not null',
    'create index chat_in_folder on chat (folder_id, updated_at) where folder_id is not null',
    'create index chat_archived on chat (user_id, updated_at) where archived = 1 and deleted_at is null',
    'create index chat_shared on chat (user_id, updated_at) where share_id is not null and deleted_at is null',
    'create index chat_listed on chat (user_id, updated_at) where archived = 0 and pinned = 0 and folder_id is null and deleted_at is null',
    CHAT_TAG,
    'create index chat_tag_by_tag on chat_tag (user_id, tag_id)',
    FILL_CHAT_TAG,
    SHARED_CHAT,
    CHAT_IMPORT,
    'create index chat_import_by_chat on chat_import (chat_id)',
    INDEX_BACKLOG,
  ],
}

import type { Migration } from './migration.ts'

const CHAT = `create table chat (
  seq integer primary key,
  id text not null unique,
  user_id text not null references user (id) on delete cascade,
  title text not null,
  current_id text,
  models text not null,
  params text not null,
  files text not null,
  tags text not null,
  timestamp integer not null,
  extra text not null,
  history_extra text not null,
  meta text not null,
  pinned integer not null default 0,
  archived integer not null default 0,
  share_id text,
  folder_id text,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer
) strict`

/**
 * Short columns come first, so that reading links and flags never follows the overflow pages of a
 * long text.
 */
const MESSAGE = `create table message (
  seq integer primary key,
  chat_id text not null references chat (id) on delete cascade,
  id text not null,
  parent_id text,
  role text not null,
  model text,
  done integer,
  running integer not null default 0,
  timestamp integer not null,
  content text not null,
  parts text,
  reasoning_content text,
  extra text not null
) strict`

const EXPECTED_CHILD = `create table expected_child (
  chat_id text not null references chat (id) on delete cascade,
  child_id text not null,
  parent_id text not null,
  primary key (chat_id, child_id, parent_id)
) strict, without rowid`

/**
 * Contentless: the texts stay in their own tables, and rows can be replaced without knowing what
 * was indexed before.
 */
const CHAT_SEARCH = `create virtual table chat_search using fts5 (
  owner, content, content = '', contentless_delete = 1, prefix = '2', tokenize = "unicode61 remove_diacritics 2"
)`
const MESSAGE_SEARCH = `create virtual table message_search using fts5 (
  owner, content, content = '', contentless_delete = 1, prefix = '2', tokenize = "unicode61 remove_diacritics 2"
)`

export const migration: Migration = {
  id: '0004-chats',
  statements: [
    CHAT,
    'create index chat_by_age on chat (user_id, updated_at) where deleted_at is null',
    'create index chat_pinned on chat (user_id, updated_at) where pinned = 1 and deleted_at is null',
    'create index chat_in_trash on chat (deleted_at) where deleted_at is not null',
    MESSAGE,
    'create unique index message_by_id on message (chat_id, id)',
    'create index message_by_parent on message (chat_id, parent_id)',
    'create index message_running on message (running) where running = 1',
    EXPECTED_CHILD,
    CHAT_SEARCH,
    MESSAGE_SEARCH,
    'create trigger chat_search_remove after delete on chat begin delete from chat_search where rowid = old.seq; end',
    'create trigger message_search_remove after delete on message begin delete from message_search where rowid = old.seq; end',
  ],
}

import type { Migration } from './migration.ts'

const PROMPT = `create table prompt (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  command text not null,
  name text not null,
  content text not null,
  tags text not null,
  data text not null,
  meta text not null,
  is_active integer not null default 1 check (is_active in (0, 1)),
  version_id text not null,
  created_at integer not null,
  updated_at integer not null
) strict`

const PROMPT_VERSION = `create table prompt_version (
  seq integer primary key,
  id text not null unique,
  prompt_id text not null references prompt (id) on delete cascade,
  parent_id text,
  snapshot text not null,
  commit_message text,
  user_id text not null,
  created_at integer not null
) strict`

const MEMORY = `create table memory (
  seq integer primary key,
  id text not null unique,
  user_id text not null references user (id) on delete cascade,
  content text not null,
  created_at integer not null,
  updated_at integer not null
) strict`

const NOTE = `create table note (
  seq integer primary key,
  id text not null unique,
  user_id text not null references user (id) on delete cascade,
  title text not null,
  data text not null,
  meta text not null,
  is_pinned integer not null default 0 check (is_pinned in (0, 1)),
  created_at integer not null,
  updated_at integer not null
) strict`

/**
 * Contentless, like the index of chats: rows can be replaced without knowing what was indexed
 * before.
 */
const MEMORY_SEARCH = `create virtual table memory_search using fts5 (
  owner, content, content = '', contentless_delete = 1, prefix = '2', tokenize = "unicode61 remove_diacritics 2"
)`
const NOTE_SEARCH = `create virtual table note_search using fts5 (
  title, content, content = '', contentless_delete = 1, prefix = '2', tokenize = "unicode61 remove_diacritics 2"
)`

export const migration: Migration = {
  id: '0008-prompts-memories-notes',
  statements: [
    PROMPT,
    "create unique index prompt_by_command on prompt (ltrim(command, '/'))",
    'create index prompt_by_owner on prompt (user_id)',
    PROMPT_VERSION,
    'create index prompt_version_by_age on prompt_version (prompt_id, seq)',
    MEMORY,
    'create index memory_by_owner on memory (user_id, updated_at)',
    MEMORY_SEARCH,
    'create trigger memory_search_remove after delete on memory begin delete from memory_search where rowid = old.seq; end',
    NOTE,
    'create index note_by_owner on note (user_id, updated_at)',
    NOTE_SEARCH,
    'create trigger note_search_remove after delete on note begin delete from note_search where rowid = old.seq; end',
  ],
}

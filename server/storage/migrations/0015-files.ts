import type { Migration } from './migration.ts'

/** Bytes on disk, under their id. Identical bytes of one user are stored once. */
const BLOB = `create table blob (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  hash text not null,
  size integer not null,
  created_at integer not null,
  unique (user_id, hash)
) strict`

/** `job` is the remaining work on a pending file, in the order of `seq`. */
const FILE = `create table file (
  seq integer primary key autoincrement,
  id text not null unique,
  user_id text not null references user (id) on delete cascade,
  blob_id text not null references blob (id),
  filename text not null,
  name_key text not null,
  content_type text not null,
  kind text not null,
  metadata text not null,
  status text check (status in ('pending', 'completed', 'failed')),
  job text check (job in ('extract', 'index')),
  attempts integer not null default 0,
  error text,
  document text,
  text_version integer not null default 0,
  text_length integer,
  created_at integer not null,
  updated_at integer not null
) strict`

/** Texts in pieces, so that long ones can be written and sent without blocking other requests. */
const FILE_TEXT = `create table file_text (
  file_id text not null references file (id) on delete cascade,
  version integer not null,
  seq integer not null,
  text text not null,
  unique (file_id, version, seq)
) strict`

/** Leftovers of deleted rows outside their tables: bytes on disk and documents of the index. */
const LEFTOVER = `create table file_leftover (
  kind text not null check (kind in ('blob', 'document')),
  id text not null,
  primary key (kind, id)
) strict, without rowid`

export const migration: Migration = {
  id: '0015-files',
  statements: [
    BLOB,
    FILE,
    'create index file_by_owner on file (user_id, created_at)',
    'create index file_by_blob on file (blob_id)',
    'create index file_to_do on file (seq) where job is not null',
    FILE_TEXT,
    LEFTOVER,
    // However a file is deleted, including with the account of its owner, nothing of it stays.
    'create trigger file_leaves after delete on file begin ' +
      "insert or ignore into file_leftover values ('document', old.id); " +
      'delete from blob where id = old.blob_id and not exists (select 1 from file where blob_id = old.blob_id); end',
    "create trigger blob_leaves after delete on blob begin insert or ignore into file_leftover values ('blob', old.id); end",
  ],
}

import type { Migration } from './migration.ts'

const KNOWLEDGE = `create table knowledge (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  name text not null,
  description text not null,
  search_key text not null,
  meta text not null,
  created_at integer not null,
  updated_at integer not null
) strict`

const DIRECTORY = `create table knowledge_directory (
  id text primary key,
  knowledge_id text not null references knowledge (id) on delete cascade,
  parent_id text references knowledge_directory (id) on delete cascade,
  name text not null,
  created_at integer not null,
  updated_at integer not null
) strict`

const FILE = `create table knowledge_file (
  knowledge_id text not null references knowledge (id) on delete cascade,
  file_id text not null references file (id) on delete cascade,
  directory_id text references knowledge_directory (id) on delete set null,
  user_id text not null,
  created_at integer not null,
  primary key (knowledge_id, file_id)
) strict, without rowid`

/**
 * Has no reference to its owner: its content must be removed from the index before the row is
 * deleted.
 */
const COLLECTION = `create table retrieval_collection (
  id text primary key,
  user_id text not null,
  name text not null,
  kind text not null check (kind in ('web', 'text')),
  created_at integer not null,
  updated_at integer not null,
  unique (user_id, name)
) strict`

export const migration: Migration = {
  id: '0016-knowledge',
  statements: [
    KNOWLEDGE,
    'create index knowledge_by_owner on knowledge (user_id, updated_at)',
    DIRECTORY,
    "create unique index knowledge_directory_by_name on knowledge_directory (knowledge_id, coalesce(parent_id, ''), name)",
    'create index knowledge_directory_by_parent on knowledge_directory (parent_id)',
    FILE,
    'create index knowledge_file_by_file on knowledge_file (file_id)',
    'create index knowledge_file_by_directory on knowledge_file (directory_id)',
    COLLECTION,
    'create index retrieval_collection_by_name on retrieval_collection (name)',
    // However a collection or one of its files is deleted, including with the account of its owner,
    // all grants on it are deleted and no search finds it there.
    'create trigger knowledge_leaves after delete on knowledge begin ' +
      "delete from access_grant where resource_type = 'knowledge' and resource_id = old.id; " +
      'delete from retrieval_member where collection = old.id; end',
    'create trigger knowledge_file_leaves after delete on knowledge_file begin ' +
      'delete from retrieval_member where collection = old.knowledge_id and document_id = old.file_id; end',
  ],
}

import type { Migration } from './migration.ts'

const PROMPTS = `create table import_prompt (
  user_id text not null references user (id) on delete cascade,
  source text not null,
  external_id text not null,
  prompt_id text not null references prompt (id) on delete cascade,
  fingerprint text not null,
  stamp text not null,
  imported_at integer not null,
  run_id text not null,
  primary key (user_id, source, external_id)
) strict, without rowid`

const FILES = `create table import_file (
  user_id text not null references user (id) on delete cascade,
  source text not null,
  external_id text not null,
  file_id text not null references file (id) on delete cascade,
  primary key (user_id, source, external_id)
) strict, without rowid`

/**
 * The import that created a prompt, and its state at that time: a prompt changed since is not undone.
 * The stored file of each upload, so that a later import stores it no second time.
 */
export const migration: Migration = {
  id: '0057-import-prompts',
  statements: [
    PROMPTS,
    'create index import_prompt_by_run on import_prompt (user_id, run_id)',
    'create index import_prompt_by_prompt on import_prompt (prompt_id)',
    FILES,
    'create index import_file_by_file on import_file (file_id)',
  ],
}

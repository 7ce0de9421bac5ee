import type { Migration } from './migration.ts'

const SKILL = `create table skill (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  name text not null,
  description text not null,
  content text not null,
  meta text not null,
  is_active integer not null check (is_active in (0, 1)),
  revision integer not null,
  created_at integer not null,
  updated_at integer not null
) strict`

const SKILL_FILE = `create table skill_file (
  seq integer primary key,
  skill_id text not null references skill (id) on delete cascade,
  path text not null,
  size integer not null,
  content blob not null,
  updated_at integer not null,
  unique (skill_id, path)
) strict`

/** Instructions with files that models read when they need them. */
export const migration: Migration = {
  id: '0043-skills',
  statements: [
    SKILL,
    'create unique index skill_by_name on skill (name)',
    'create index skill_by_owner on skill (user_id)',
    SKILL_FILE,
    'create trigger skill_grants_remove after delete on skill ' +
      "begin delete from access_grant where resource_type = 'skill' and resource_id = old.id; end",
    'create trigger skill_needs_account before insert on skill ' +
      'when (select deleted_at from user where id = new.user_id) is not null ' +
      "begin select raise(abort, 'The account of the owner was deleted.'); end",
  ],
}

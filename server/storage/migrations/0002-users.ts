import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0002-users',
  statements: [
    `create table user (
      id text primary key,
      email text not null unique,
      name text not null,
      role text not null check (role in ('admin', 'user', 'pending')),
      is_first integer not null check (is_first in (0, 1)),
      token_version integer not null default 1,
      last_active_at integer,
      created_at integer not null,
      updated_at integer not null
    ) strict`,
    'create unique index user_first on user (is_first) where is_first = 1',
    `create table user_password (
      user_id text primary key references user (id) on delete cascade,
      hash text not null
    ) strict, without rowid`,
    `create table user_settings (
      user_id text primary key references user (id) on delete cascade,
      value text not null
    ) strict`,
    `create table api_key (
      id text primary key,
      user_id text not null references user (id) on delete cascade,
      name text not null,
      secret_hash blob not null unique,
      hint text not null,
      created_at integer not null,
      last_used_at integer
    ) strict`,
    'create index api_key_user on api_key (user_id, created_at)',
    `create table revoked_token (
      jti text primary key,
      user_id text not null references user (id) on delete cascade,
      expires_at integer
    ) strict, without rowid`,
    'create index revoked_token_user on revoked_token (user_id)',
    `create table throttle (
      subject text primary key,
      tries integer not null,
      ends_at integer not null
    ) strict, without rowid`,
  ],
}

import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0009-api-key-extras',
  statements: [
    'alter table api_key add column last_used_by text',
    'alter table api_key add column last_used_from text',
    'alter table api_key add column limits text',
    `create table api_key_usage (
      key_id text primary key references api_key (id) on delete cascade,
      day integer not null,
      requests integer not null,
      tokens integer not null
    ) strict, without rowid`,
    `create table user_session (
      jti text primary key,
      user_id text not null references user (id) on delete cascade,
      token_version integer not null,
      created_at integer not null,
      last_used_at integer not null,
      expires_at integer,
      user_agent text not null,
      address text not null
    ) strict, without rowid`,
    'create index user_session_user on user_session (user_id)',
    `create table user_profile (
      user_id text primary key references user (id) on delete cascade,
      username text,
      bio text,
      gender text,
      date_of_birth text,
      timezone text,
      profile_image_url text,
      profile_banner_image_url text,
      status_emoji text,
      status_message text,
      status_expires_at integer,
      info text
    ) strict`,
  ],
}

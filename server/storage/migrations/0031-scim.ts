import type { Migration } from './migration.ts'

/** Names of users and groups in the system that provisions them. */
export const migration: Migration = {
  id: '0031-scim',
  statements: [
    `create table scim_user (
      user_id text primary key references user (id) on delete cascade,
      external_id text unique,
      user_name text not null unique collate nocase
    ) strict, without rowid`,
    `create table scim_group (
      group_id text primary key references user_group (id) on delete cascade,
      external_id text unique
    ) strict, without rowid`,
  ],
}

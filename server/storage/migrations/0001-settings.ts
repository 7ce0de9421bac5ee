import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0001-settings',
  statements: [
    `create table setting (
      key text primary key,
      value text not null,
      updated_at integer not null
    ) strict, without rowid`,
    `create table root_secret_check (
      id integer primary key check (id = 1),
      value text not null
    ) strict`,
  ],
}

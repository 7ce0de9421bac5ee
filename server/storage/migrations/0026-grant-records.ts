import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0026-grant-records',
  statements: [
    "alter table access_grant add column id text not null default ''",
    'alter table access_grant add column created_at integer not null default 0',
    'update access_grant set id = lower(hex(randomblob(16))), created_at = unixepoch()',
  ],
}

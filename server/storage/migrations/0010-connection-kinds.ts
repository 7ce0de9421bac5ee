import type { Migration } from './migration.ts'

// SQLite cannot change the check of a column, so the table is rebuilt.
export const migration: Migration = {
  id: '0010-connection-kinds',
  statements: [
    `create table connection_new (
      id text primary key,
      kind text not null check (kind in ('runtime', 'compatible', 'messages')),
      name text not null,
      url text not null,
      enabled integer not null check (enabled in (0, 1)),
      prefix_id text not null,
      model_ids text not null,
      headers text,
      key text,
      timeout_seconds integer not null,
      created_at integer not null,
      updated_at integer not null
    ) strict`,
    `insert into connection_new select id, kind, name, url, enabled, prefix_id, model_ids, headers, key, timeout_seconds, created_at, updated_at from connection`,
    `drop table connection`,
    `alter table connection_new rename to connection`,
  ],
}

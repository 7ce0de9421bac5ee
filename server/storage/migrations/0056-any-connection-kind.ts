import type { Migration } from './migration.ts'

/**
 * Leaves the check of a connection's kind to the contract, which validates it already, so that a new
 * kind needs no step. SQLite cannot drop a check, so the table is rebuilt.
 */
export const migration: Migration = {
  id: '0056-any-connection-kind',
  statements: [
    `create table connection_next (
      id text primary key,
      kind text not null,
      name text not null,
      url text not null,
      enabled integer not null check (enabled in (0, 1)),
      prefix_id text not null,
      model_ids text not null,
      headers text,
      key text,
      timeout_seconds integer not null,
      created_at integer not null,
      updated_at integer not null,
      connection_type text check (connection_type in ('local', 'external')),
      access text not null default 'granted' check (access in ('everybody', 'granted')),
      use_proxy integer not null default 1,
      trusted_certificate text
    ) strict`,
    `insert into connection_next select id, kind, name, url, enabled, prefix_id, model_ids, headers, key, timeout_seconds,
      created_at, updated_at, connection_type, access, use_proxy, trusted_certificate from connection order by rowid`,
    'drop table connection',
    'alter table connection_next rename to connection',
  ],
  // The constraint has the name of the table that became `connection`.
  postgres: ['alter table connection drop constraint connection_new_kind_check'],
}

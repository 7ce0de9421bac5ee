import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0003-connections',
  statements: [
    `create table connection (
      id text primary key,
      kind text not null check (kind in ('runtime', 'compatible')),
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
  ],
}

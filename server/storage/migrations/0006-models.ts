import type { Migration } from './migration.ts'

/** An administrator's settings for a model of a connection outlive the account. */
const MODEL = `create table model (
  id text primary key,
  user_id text references user (id) on delete set null,
  base_model_id text,
  name text not null,
  params text not null,
  meta text not null,
  is_active integer not null check (is_active in (0, 1)),
  created_at integer not null,
  updated_at integer not null
) strict`

export const migration: Migration = {
  id: '0006-models',
  statements: [MODEL],
}

import type { Migration } from './migration.ts'

const MODELS = `create table connection_models (
  connection_id text primary key not null,
  url text not null,
  models text not null,
  updated_at integer not null
) strict`

const OVERRIDE = `create table connection_override (
  id text primary key not null,
  fields text not null,
  secrets text,
  updated_at integer not null
) strict`

export const migration: Migration = { id: '0019-connection-memory', statements: [MODELS, OVERRIDE] }

import type { Migration } from './migration.ts'

/** A small picture for lists, beside the picture it was made of and gone with it. */
const PREVIEW = `create table picture_preview (
  file_id text primary key references picture (file_id) on delete cascade,
  bytes blob not null
) strict`

export const migration: Migration = { id: '0039-picture-previews', statements: [PREVIEW] }

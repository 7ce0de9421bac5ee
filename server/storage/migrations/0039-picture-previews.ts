import type { Migration } from './migration.ts'

/** A thumbnail of a picture for lists, deleted with the picture. */
const PREVIEW = `create table picture_preview (
  file_id text primary key references picture (file_id) on delete cascade,
  bytes blob not null
) strict`

export const migration: Migration = { id: '0039-picture-previews', statements: [PREVIEW] }

import type { Migration } from './migration.ts'

/**
 * Uploads to a store without transactions: recorded before the first byte is sent, deleted with the
 * row that names them.
 */
const BLOB_UPLOAD = `create table blob_upload (
  id text primary key,
  touched_at integer not null
) strict`

export const migration: Migration = { id: '0048-blob-uploads', statements: [BLOB_UPLOAD] }

import type { Migration } from './migration.ts'

/**
 * Bytes on their way into a store that knows no transaction: written down before the first byte
 * leaves, gone with the row that names them.
 */
const BLOB_UPLOAD = `create table blob_upload (
  id text primary key,
  touched_at integer not null
) strict`

export const migration: Migration = { id: '0048-blob-uploads', statements: [BLOB_UPLOAD] }

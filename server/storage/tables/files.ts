import type { Generated } from 'kysely'

/** Bytes on disk, stored once per user. */
export interface BlobTable {
  id: string
  user_id: string
  /** SHA-256, hexadecimal. */
  hash: string
  size: number
  created_at: number
}

/** A file of a user. */
export interface FileTable {
  /** Order of uploads. */
  seq: Generated<number>
  id: string
  user_id: string
  blob_id: string
  filename: string
  /** The name in lower case, for comparison. */
  name_key: string
  content_type: string
  kind: string
  /** JSON object from the uploader. */
  metadata: string
  /** Null until the text is requested. */
  status: 'pending' | 'completed' | 'failed' | null
  /** Remaining work. */
  job: 'extract' | 'index' | null
  /** Number of times the job was started. */
  attempts: number
  /** The gateway that reads it, if several share the database. */
  reader: Generated<string | null>
  error: string | null
  /** JSON of the extracted document without its text; null while there is none. */
  document: string | null
  /** Version of the pieces in `file_text` that form the text. */
  text_version: number
  /** In UTF-16 units; null while there is no text. */
  text_length: number | null
  created_at: number
  updated_at: number
}

export interface FileTextTable {
  file_id: string
  version: number
  seq: number
  text: string
}

export interface FileLeftoverTable {
  kind: 'blob' | 'document'
  id: string
}

/** An upload to a bucket in progress. */
export interface BlobUploadTable {
  id: string
  /** Time of the last sign of life of the sending gateway. */
  touched_at: number
}

/** Tables of files as Kysely sees them. Times are unix seconds. */
export interface FilesTables {
  blob: BlobTable
  file: FileTable
  file_text: FileTextTable
  file_leftover: FileLeftoverTable
  blob_upload: BlobUploadTable
}

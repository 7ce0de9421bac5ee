import type { Generated } from 'kysely'

/** Bytes on the disk, kept once for each person. */
export interface BlobTable {
  id: string
  user_id: string
  /** SHA-256, hexadecimal. */
  hash: string
  size: number
  created_at: number
}

/** A file of a person. */
export interface FileTable {
  /** The order of uploads. */
  seq: Generated<number>
  id: string
  user_id: string
  blob_id: string
  filename: string
  /** The name as it is compared: without case. */
  name_key: string
  content_type: string
  kind: string
  /** JSON object of the uploader. */
  metadata: string
  /** Null until somebody asks for the text. */
  status: 'pending' | 'completed' | 'failed' | null
  /** What has still to be done. */
  job: 'extract' | 'index' | null
  /** How often the job was begun. */
  attempts: number
  /** The gateway that reads it, where several share the database. */
  reader: Generated<string | null>
  error: string | null
  /** JSON of the extracted document without its text; null while there is none. */
  document: string | null
  /** Which pieces of `file_text` are the text. */
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

/** Bytes on their way into a bucket. */
export interface BlobUploadTable {
  id: string
  /** When the gateway that sends them said so last. */
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

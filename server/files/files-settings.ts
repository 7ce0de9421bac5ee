import type { Settings } from '../settings/index.ts'

/** The settings this module reads. */
export type FilesSettings = Settings<
  | 'FILE_QUOTA_PER_USER'
  | 'FILE_RETENTION_DAYS'
  | 'RAG_ALLOWED_FILE_EXTENSIONS'
  | 'RAG_FILE_MAX_COUNT'
  | 'RAG_FILE_MAX_SIZE'
>

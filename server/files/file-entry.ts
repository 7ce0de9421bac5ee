import type { FileStatus } from '#contract/files.ts'

/** A file as other domains see it. Times are unix seconds, `size` is in bytes. */
export interface FileEntry {
  readonly id: string
  readonly user_id: string
  /** SHA-256 of the bytes. */
  readonly hash: string
  readonly filename: string
  readonly meta: {
    readonly name: string
    /** Detected from the bytes, not taken from the upload. */
    readonly content_type: string
    readonly size: number
    /** SHA-256 of the bytes. */
    readonly file_hash: string
    /** The `metadata` that the uploader sent. */
    readonly data: Record<string, unknown>
    /** `file-<id>` once its passages can be searched, else null: images have none. */
    readonly collection_name: string | null
  }
  /** Also `pending` if no processing was requested. */
  readonly status: FileStatus
  /** False for a file that stays `pending` until its processing is requested. */
  readonly isAsked: boolean
  /** Reason of the failure, as a sentence for users. */
  readonly error: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** Content to store: bytes in memory, or a file of the data folder, which is moved. */
export interface NewFile {
  /** Id chosen by the caller; a new one otherwise. 409 if another file already has it. */
  readonly id?: string
  readonly filename: string
  /** Used only to distinguish kinds of text if the name does not. */
  readonly contentType: string | null
  readonly content: { readonly path: string } | { readonly bytes: Uint8Array }
  readonly metadata?: Record<string, unknown>
  /** Writes related rows in the same transaction, so that neither exists without the other. */
  readonly along?: (id: string) => Promise<void>
}

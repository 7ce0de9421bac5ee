import type { FileStatus } from '#contract/files.ts'

/** A file as other domains see it. Times are unix seconds, `size` counts bytes. */
export interface FileEntry {
  readonly id: string
  readonly user_id: string
  /** SHA-256 of the bytes. */
  readonly hash: string
  readonly filename: string
  readonly meta: {
    readonly name: string
    /** Found out from the bytes, not believed from the upload. */
    readonly content_type: string
    readonly size: number
    /** SHA-256 of the bytes. */
    readonly file_hash: string
    /** What the uploader sent as `metadata`. */
    readonly data: Record<string, unknown>
    /** `file-<id>` once passages of it can be found, else null: pictures have none. */
    readonly collection_name: string | null
  }
  /** `pending` also when nobody asked for it to be processed. */
  readonly status: FileStatus
  /** False for one that stays `pending` until somebody asks for it to be processed. */
  readonly isAsked: boolean
  /** Why it failed, in a sentence for people. */
  readonly error: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** What is stored: bytes in memory, or a file of the data folder, which is moved. */
export interface NewFile {
  /** Chosen by whoever makes it; a new one otherwise. 409 when a file has it already. */
  readonly id?: string
  readonly filename: string
  /** Believed only where it tells one kind of text from another and the name does not. */
  readonly contentType: string | null
  readonly content: { readonly path: string } | { readonly bytes: Uint8Array }
  readonly metadata?: Record<string, unknown>
  /** Writes what belongs to the file in the same transaction, so that neither is there alone. */
  readonly along?: (id: string) => Promise<void>
}

import type { Readable } from 'node:stream'
import type { Route } from '../lib/http.ts'
import type { ExtractedDocument } from '../retrieval/index.ts'
import type { BlobReading } from '../storage/blobs/blobs.ts'
import type { FileEntry, NewFile } from './file-entry.ts'

/** Uploaded files: stored bytes, their text, and the queue that extracts and embeds it. */
export interface Files {
  /** Resolves with null unless the user owns it, is an administrator, or may read it by a rule. */
  get(userId: string, id: string): Promise<FileEntry | null>
  /** Without an access check, for jobs. */
  find(id: string): Promise<FileEntry | null>
  /** Yields files in the order of their ids, read a few at a time; deleted ones are left out. */
  each(ids: readonly string[]): AsyncIterable<FileEntry>
  /** Text and pages; null until available. Whole texts may be long: see `textLength`. */
  content(id: string): Promise<ExtractedDocument | null>
  /** Length of the text in UTF-16 units without reading it; null until available. */
  textLength(id: string): Promise<number | null>
  /**
   * Returns the stored bytes as a stream, which fails unless all of them are read. 404 if there is
   * no such file.
   */
  open(id: string, reading?: Pick<BlobReading, 'signal' | 'pieceBytes'>): Promise<Readable>
  /** Resolves with all stored bytes of a file that is known to fit into memory. */
  read(id: string): Promise<Buffer>
  /**
   * Stores a file. 413 beyond the limits, 507 if the disk is full. A file whose text cannot be
   * extracted ends as `failed`; it is not refused.
   */
  create(ownerId: string, file: NewFile, options: ProcessOptions): Promise<FileEntry>
  /** Replaces the text and embeds it again; resolves when that has ended, successfully or not. */
  updateContent(id: string, text: string): Promise<void>
  /** Extracts and embeds again; resolves when that has ended. */
  process(id: string): Promise<FileEntry>
  /** Deletes a file; its bytes are deleted with the owner's last file that has them. */
  remove(id: string): Promise<void>
  /** Deletes the files of all users; other requests are served meanwhile. */
  removeAll(): Promise<void>
  rename(id: string, filename: string): Promise<FileEntry>
  /** Registers a listener for files that were completed or failed. */
  onProcessed(listener: (file: FileEntry) => Promise<void>): void
  /** Registers a listener for deleted files, however they were deleted. */
  onRemoved(listener: (fileId: string) => Promise<void>): void
  /**
   * Adds a further rule that lets a user read a file, such as a collection shared with them.
   * Registered by domains built later.
   */
  addReadRule(rule: (userId: string, fileId: string) => Promise<boolean>): void
  /**
   * Returns an image a user may read as a `data:` URL for vision models. Takes an id or the URL of
   * its content; null if it is neither, not an image, or not readable for the user.
   */
  toDataUrl(userId: string, reference: string): Promise<string | null>
  readonly routes: readonly Route[]
  /**
   * Deletes files that are no longer used, if an administrator set after how many days
   * (`FILE_RETENTION_DAYS`). Runs at most once a day.
   */
  keepUp(): Promise<void>
  /**
   * Resumes the work the previous process left: unfinished files, and bytes and passages of deleted
   * ones. Called once the gateway accepts requests.
   */
  resume(): Promise<void>
  /** Number of files still to be read by any gateway, and of those being read here. */
  unread(): Promise<{ left: number; running: number }>
  /** Stops the queue; unfinished work continues at the next start. */
  close(): Promise<void>
}

/** Options for reading and embedding a file and for waiting for the result. */
export interface ProcessOptions {
  readonly process: boolean
  readonly background: boolean
}

import type { Readable } from 'node:stream'
import type { Route } from '../lib/http.ts'
import type { ExtractedDocument } from '../retrieval/index.ts'
import type { BlobReading } from '../storage/blobs/blobs.ts'
import type { FileEntry, NewFile } from './file-entry.ts'

/**
 * Uploaded files: stored bytes, their text, and the queue that reads and embeds
 * them.
 */
export interface Files {
  /** Null unless the person owns it, is an administrator, or may read it by a rule. */
  get(userId: string, id: string): Promise<FileEntry | null>
  /** Without a check of access, for jobs. */
  find(id: string): Promise<FileEntry | null>
  /** Text and pages; null until there are some. Whole texts may be long: see `textLength`. */
  content(id: string): Promise<ExtractedDocument | null>
  /** Length of the text in UTF-16 units without reading it; null until there is one. */
  textLength(id: string): Promise<number | null>
  /**
   * The stored bytes as a stream, which ends in an error unless all of them came. 404 when there is
   * no such file.
   */
  open(id: string, reading?: Pick<BlobReading, 'signal' | 'pieceBytes'>): Promise<Readable>
  /** The stored bytes at once, of a file that is known to be short enough for memory. */
  read(id: string): Promise<Buffer>
  /**
   * Stores a file. 413 beyond the limits, 507 when the disk is full. A file that cannot be read as
   * text ends `failed`, it is not refused.
   */
  create(ownerId: string, file: NewFile, options: ProcessOptions): Promise<FileEntry>
  /** Replaces the text and embeds it again; settles when that has ended, however it ended. */
  updateContent(id: string, text: string): Promise<void>
  /** Reads and embeds once more; settles when that has ended. */
  process(id: string): Promise<FileEntry>
  /** Deletes a file; its bytes go with the last file of the owner that has them. */
  remove(id: string): Promise<void>
  /** Deletes the files of everybody, others being served meanwhile. */
  removeAll(): Promise<void>
  rename(id: string, filename: string): Promise<FileEntry>
  /** Called when a file is completed or failed. */
  onProcessed(listener: (file: FileEntry) => Promise<void>): void
  /** Called when a file was deleted, in whatever way. */
  onRemoved(listener: (fileId: string) => Promise<void>): void
  /**
   * A further way a person may read a file, such as a collection that is shared with them.
   * Registered by later domains.
   */
  addReadRule(rule: (userId: string, fileId: string) => Promise<boolean>): void
  /**
   * A picture a person may read as a `data:` address for models that see. Takes an id or the
   * address of its content; null when it is none of these, no picture, or not readable for them.
   */
  toDataUrl(userId: string, reference: string): Promise<string | null>
  readonly routes: readonly Route[]
  /**
   * Deletes what nothing uses any more, where an administrator set after how many days
   * (`FILE_RETENTION_DAYS`). At most once a day.
   */
  keepUp(): Promise<void>
  /**
   * Takes up what the last run left: unfinished files, bytes and passages of deleted ones. Called
   * once the gateway serves.
   */
  resume(): Promise<void>
  /** Files that are still to be read, whoever reads them, and those being read here. */
  unread(): Promise<{ left: number; running: number }>
  /** Stops the queue; what is unfinished goes on at the next start. */
  close(): Promise<void>
}

/** Whether a file is read and embedded, and whether that is waited for. */
export interface ProcessOptions {
  readonly process: boolean
  readonly background: boolean
}

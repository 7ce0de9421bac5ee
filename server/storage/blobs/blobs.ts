import type { Readable } from 'node:stream'

/** Uploaded bytes, as described by their row. */
export interface Blob {
  readonly id: string
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
}

/** New bytes in a temporary file. */
export interface NewBytes {
  readonly path: string
  readonly size: number
  readonly hash: string
}

export interface BlobReading {
  readonly signal?: AbortSignal
  /** Maximum chunk size; some stores return smaller ones. */
  readonly pieceBytes?: number
  /** First and last byte; all bytes when absent. */
  readonly range?: { readonly start: number; readonly end: number } | null
}

/**
 * Bytes of uploads, under random ids. The database records which of them are in use.
 *
 * New bytes are collected in a temporary file; `prepare` stores them durably, `claim` is called in
 * the transaction that writes their row, and after it either `keep` or `discard`. If the gateway
 * ends in between, the next start can decide whether to complete or to delete them.
 */
export interface Blobs {
  /** Number of blobs deleted at once. */
  readonly removedAtOnce: number
  /**
   * Cleans up the unfinished uploads of a former process; must be awaited before the first file.
   */
  tidy(): Promise<void>
  /** Cleans up the unfinished uploads of other gateways that died; absent if there can be none. */
  sweep?(): Promise<void>
  /**
   * Returns the path of a new file in which bytes are collected and flushed; its name is the id of
   * the blob it may become.
   */
  newTemporaryFile(): string
  /** Resolves with the id. The caller must delete the temporary file. */
  prepare(bytes: NewBytes): Promise<string>
  /** Throws if the upload took so long that it was abandoned. */
  claim(id: string): Promise<void>
  /**
   * Moves prepared bytes to their final place, in the same turn as the row that names them is
   * written.
   */
  keep(id: string): void
  /** Discards prepared bytes whose row was not written. */
  discard(id: string): Promise<void>
  /** Throws 404 unless all the bytes exist. */
  require(blob: Blob): Promise<void>
  /**
   * Opens the bytes. Once this has resolved, the stream yields either all of them or ends in an
   * error. Throws 404 if they do not exist.
   */
  open(blob: Blob, reading?: BlobReading): Promise<Readable>
  /** Returns the first bytes, at most the given number. */
  head(blob: Blob, bytes: number): Promise<Buffer>
  /**
   * Provides a named file to readers that need one. It exists until `use` has ended, and must not
   * be changed.
   */
  lend<Result>(
    blob: Blob,
    signal: AbortSignal,
    use: (path: string) => Promise<Result>,
  ): Promise<Result>
  /** Deletes bytes; does nothing if they are already deleted. */
  remove(id: string): Promise<void>
  /** Closes connections to other computers. */
  close?(): void
}

/** Reads bytes completely that are known to be short enough for memory. */
export async function readWhole(blobs: Blobs, blob: Blob, reading?: BlobReading): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await blobs.open(blob, reading)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces, blob.size)
}

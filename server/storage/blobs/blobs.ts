import type { Readable } from 'node:stream'

/** Bytes that were uploaded, as their row tells. */
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
  readonly signal?: AbortSignal | undefined
  /** Largest piece that is wanted at once; some places bring smaller ones. */
  readonly pieceBytes?: number
  /** First and last byte; all of them without. */
  readonly range?: { readonly start: number; readonly end: number } | null
}

/**
 * The bytes of uploads, under random ids. Which of them are in use is written in the database.
 *
 * New bytes are collected in a temporary file; `prepare` puts them where they outlive the gateway,
 * `claim` is called in the transaction that writes their row, and after it either `keep` or
 * `discard`. Whatever ends the gateway in between, the next start knows whether to finish or to
 * forget.
 */
export interface Blobs {
  /** How many are deleted at once. */
  readonly removedAtOnce: number
  /** Puts away what a former process left on its way; to be awaited before the first file. */
  tidy(): Promise<void>
  /** The same for other gateways that died meanwhile; absent where there can be none. */
  sweep?(): Promise<void>
  /**
   * Of a new file in which bytes are collected and flushed; its name is the id of the blob it may
   * become.
   */
  newTemporaryFile(): string
  /** Answers the id. The temporary file stays the caller's to delete. */
  prepare(bytes: NewBytes): Promise<string>
  /** Throws when the bytes took so long that they were given up. */
  claim(id: string): Promise<void>
  /** Gives prepared bytes their place, in the same turn as the row that names them is written. */
  keep(id: string): void
  /** Forgets prepared bytes whose row was not written. */
  discard(id: string): Promise<void>
  /** 404 unless all the bytes are there. */
  require(blob: Blob): Promise<void>
  /**
   * Opens the bytes. Once this has resolved, what the stream brings is either all of them or ends
   * in an error. 404 when they are not there.
   */
  open(blob: Blob, reading?: BlobReading): Promise<Readable>
  /** Their beginning, at most so many bytes. */
  head(blob: Blob, bytes: number): Promise<Buffer>
  /**
   * For readers that need a file with a name. It is there until `use` has ended, and must not be
   * changed.
   */
  lend<Result>(
    blob: Blob,
    signal: AbortSignal,
    use: (path: string) => Promise<Result>,
  ): Promise<Result>
  /** Deletes bytes; those that are gone already are fine. */
  remove(id: string): Promise<void>
  /** Ends what is open to other computers. */
  close?(): void
}

/** The whole of what is known to be short enough for memory. */
export async function readWhole(
  blobs: Pick<Blobs, 'open'>,
  blob: Blob,
  reading?: BlobReading,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await blobs.open(blob, reading)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces, blob.size)
}

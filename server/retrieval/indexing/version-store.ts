import type { ExtractedDocument } from '../extraction/index.ts'
import type { Chunk } from '../splitting/pack-chunks.ts'

/** What is stored of a document besides its passages. */
export interface DocumentRow {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly metadata: string
  readonly content: ExtractedDocument
}

/** A passage with its vector; null where vectors cannot be kept. */
export interface EmbeddedChunk {
  readonly chunk: Chunk
  readonly text: string
  readonly vector: Float32Array | null
}

/** How a version is made, and how large it is. */
export interface VersionMaking {
  readonly engine: string
  readonly splitting: string
  readonly chunks: number
  readonly tokens: number
}

/** A version being written; ids of its chunks are consecutive. */
export interface BegunVersion {
  readonly seq: number
  readonly firstChunk: number
}

/** Where versions are written. Each call is committed for itself. */
export interface VersionStore {
  /** A stored document with its text put together again; null when it is not there. */
  read(id: string): DocumentRow | null | Promise<DocumentRow | null>
  begin(row: DocumentRow, making: VersionMaking): BegunVersion | Promise<BegunVersion>
  /** Says how many values the vectors of a version have, before the first are written. */
  openVectors(seq: number, dimensions: number): void | Promise<void>
  /** Writes passages, the first of which gets the id `firstChunk`. */
  write(
    version: { readonly seq: number; readonly name: string },
    firstChunk: number,
    chunks: readonly EmbeddedChunk[],
  ): Promise<void>
  /** The version is not wanted any more. */
  discard(seq: number): void | Promise<void>
}

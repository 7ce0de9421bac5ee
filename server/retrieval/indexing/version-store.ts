import type { ExtractedDocument } from '../extraction/index.ts'
import type { Chunk } from '../splitting/pack-chunks.ts'

/** Stored fields of a document besides its passages. */
export interface DocumentRow {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly metadata: string
  readonly content: ExtractedDocument
}

/** A passage with its vector; null if vectors cannot be stored. */
export interface EmbeddedChunk {
  readonly chunk: Chunk
  readonly text: string
  readonly vector: Float32Array | null
}

/** Engine, splitting and size of a version. */
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

/** Store of versions. Each call is committed separately. */
export interface VersionStore {
  /** Returns a stored document with its reassembled text; null if it does not exist. */
  read(id: string): DocumentRow | null | Promise<DocumentRow | null>
  begin(row: DocumentRow, making: VersionMaking): BegunVersion | Promise<BegunVersion>
  /** Sets the number of values of a version's vectors, before the first are written. */
  openVectors(seq: number, dimensions: number): void | Promise<void>
  /** Writes passages, the first of which gets the id `firstChunk`. */
  write(
    version: { readonly seq: number; readonly name: string },
    firstChunk: number,
    chunks: readonly EmbeddedChunk[],
  ): Promise<void>
  /** Discards a version that is no longer needed. */
  discard(seq: number): void | Promise<void>
}

import type { WriteTurns } from '../../storage/sqlite/write-turns.ts'
import type { ExtractedDocument } from '../extraction/index.ts'

/** Parameters of splitting and embedding a document. */
export interface IndexingPlan {
  readonly size: number
  readonly overlap: number
  readonly minimum: number
  readonly breakAtHeadings: boolean
  readonly unit: 'tokens' | 'characters'
  readonly engine: string
  /** Number of passages per call of the engine, and of concurrent calls. */
  readonly batch: number
  readonly parallel: number
}

/** A document to be indexed, or the stored one to be re-indexed. */
export type IndexingSource =
  | {
      readonly id: string
      readonly kind: 'file' | 'web' | 'text'
      readonly name: string
      readonly metadata: Readonly<Record<string, unknown>>
      readonly content: ExtractedDocument
    }
  | { readonly storedId: string }

/** Parameters of the indexing thread. */
export interface IndexingThread {
  readonly database: string
  readonly writeTurns: WriteTurns
  /** See `addVectorTables`. */
  readonly vectorLibrary?: string
}

/** Command to the indexing thread. */
export type IndexingCommand =
  /** A piece of a text too long for one message; `start` follows with an empty one. */
  | { readonly type: 'text'; readonly job: number; readonly piece: string }
  | {
      readonly type: 'start'
      readonly job: number
      readonly source: IndexingSource
      readonly plan: IndexingPlan
    }
  /** `vectors` contains those of all texts of the batch, concatenated. */
  | {
      readonly type: 'vectors'
      readonly job: number
      readonly batch: number
      readonly count: number
      readonly vectors: Float32Array<ArrayBuffer>
    }
  /** The version of a job has replaced the former one, or is no longer needed. */
  | { readonly type: 'end'; readonly job: number }
  /** Removes the rows of unneeded versions. */
  | { readonly type: 'purge' }
  /** Rebuilds the word index from the stored passages. */
  | { readonly type: 'rebuild-words'; readonly job: number }
  | { readonly type: 'close' }

/** A complete version that waits to replace the former one. */
export interface FinishedIndexing {
  readonly seq: number
  readonly chunks: number
  readonly tokens: number
}

/** Report of the indexing thread. */
export type IndexingReport =
  | {
      readonly type: 'embed'
      readonly job: number
      readonly batch: number
      readonly texts: readonly string[]
    }
  | {
      readonly type: 'progress'
      readonly job: number
      readonly done: number
      readonly total: number
    }
  | { readonly type: 'finished'; readonly job: number; readonly result: FinishedIndexing }
  | { readonly type: 'failed'; readonly job: number; readonly reason: string }
  | { readonly type: 'purged' }
  /** Sent when the thread starts: the reason why there are no vectors, or null if there are. */
  | { readonly type: 'vectors-checked'; readonly problem: string | null }

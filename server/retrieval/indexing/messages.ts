import type { WriteTurns } from '../../storage/write-turns.ts'
import type { ExtractedDocument } from '../extraction/index.ts'

/** How a document is cut and embedded. */
export interface IndexingPlan {
  readonly size: number
  readonly overlap: number
  readonly minimum: number
  readonly breakAtHeadings: boolean
  readonly unit: 'tokens' | 'characters'
  readonly engine: string
  /** Passages of one call of the engine, and calls under way at once. */
  readonly batch: number
  readonly parallel: number
}

/** A document given to be indexed, or the stored one whose index is made anew. */
export type IndexingSource =
  | {
      readonly id: string
      readonly kind: 'file' | 'web' | 'text'
      readonly name: string
      readonly metadata: Readonly<Record<string, unknown>>
      readonly content: ExtractedDocument
    }
  | { readonly storedId: string }

/** What the indexing thread starts with. */
export interface IndexingThread {
  readonly database: string
  readonly writeTurns: WriteTurns
  /** See `addVectorTables`. */
  readonly vectorLibrary?: string | undefined
}

/** To the indexing thread. */
export type IndexingCommand =
  /** A piece of a text too long for one message; `start` follows with an empty one. */
  | { readonly type: 'text'; readonly job: number; readonly piece: string }
  | {
      readonly type: 'start'
      readonly job: number
      readonly source: IndexingSource
      readonly plan: IndexingPlan
    }
  /** `vectors` holds those of all texts of the batch, one after the other. */
  | {
      readonly type: 'vectors'
      readonly job: number
      readonly batch: number
      readonly count: number
      readonly vectors: Float32Array<ArrayBuffer>
    }
  /** The version of a job has taken its place, or is not wanted any more. */
  | { readonly type: 'end'; readonly job: number }
  /** Removes the rows of versions nobody needs. */
  | { readonly type: 'purge' }
  /** Builds the index of words anew from the stored passages. */
  | { readonly type: 'rebuild-words'; readonly job: number }
  | { readonly type: 'close' }

/** A version that is complete and waits to take its place. */
export interface FinishedIndexing {
  readonly seq: number
  readonly chunks: number
  readonly tokens: number
}

/** From the indexing thread. */
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
  /** Told when the thread starts: why there are no vectors, or null when there are. */
  | { readonly type: 'vectors-checked'; readonly problem: string | null }

import type { ExtractedDocument } from '../extraction/index.ts'
import type { IndexingPlan } from '../indexing/messages.ts'
import type { Passage } from '../passage.ts'
import type { WordFindings } from '../searching/find-worded.ts'
import type { SearchOrder } from '../searching/messages.ts'
import type { ScopeDocument, StoredChunk } from '../searching/store.ts'
import type { Chunk } from '../splitting/pack-chunks.ts'

/** Results of the database for one text. */
export interface DatabaseFindings {
  /** Nearest first, with the dot product of the vectors. */
  readonly near: readonly { readonly id: number; readonly score: number }[]
  readonly worded: WordFindings
}

/** Results of the database for a search, with all passages they refer to. */
export interface Gathered {
  readonly findings: readonly DatabaseFindings[]
  readonly hasVectors: boolean
  readonly chunks: readonly StoredChunk[]
  readonly documents: readonly Pick<ScopeDocument, 'seq' | 'id' | 'name'>[]
}

/** Command to the thread that processes texts. */
export type TextCommand =
  /** A piece of a text too long for one message; `split` follows with an empty one. */
  | { readonly type: 'text'; readonly id: number; readonly piece: string }
  | {
      readonly type: 'split'
      readonly id: number
      readonly content: ExtractedDocument
      readonly plan: IndexingPlan
    }
  /** The chunks are no longer needed. */
  | { readonly type: 'stop'; readonly id: number }
  | {
      readonly type: 'judge'
      readonly id: number
      readonly gathered: Gathered
      readonly order: SearchOrder
    }
  | {
      readonly type: 'choose'
      readonly id: number
      readonly passages: readonly Passage[]
      readonly order: SearchOrder
    }
  | { readonly type: 'count'; readonly id: number; readonly text: string }
  | { readonly type: 'close' }

/** Report of the thread that processes texts. */
export type TextReport =
  /** Some chunks of a document; the last ones complete the work. */
  | {
      readonly type: 'chunks'
      readonly id: number
      readonly chunks: readonly Chunk[]
      readonly isLast: boolean
    }
  | { readonly type: 'passages'; readonly id: number; readonly passages: readonly Passage[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string }

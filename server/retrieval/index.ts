import type { Route } from '../lib/http.ts'
import type { EngineState } from './embedding/engine-state.ts'
import type { ExtractedDocument } from './extraction/index.ts'
import type { Passage, SearchQuery } from './passage.ts'

export type { EmbeddingEngine, EmbeddingKind } from './embedding/engine.ts'
export type { EngineState } from './embedding/engine-state.ts'
export type { ExtractedDocument, Extraction } from './extraction/index.ts'
export type { Passage, SearchQuery } from './passage.ts'

/** What to index. */
export interface IndexedDocument {
  readonly id: string
  readonly kind: 'file' | 'web' | 'text'
  readonly name: string
  readonly content: ExtractedDocument
  readonly metadata?: Record<string, unknown>
}

/** Sets of documents under a name; a document in three of them is embedded once. */
export interface Collections {
  add(collection: string, documentId: string): void
  remove(collection: string, documentId: string): void
  documents(collection: string): string[]
  clear(collection: string): void
  drop(collection: string): void
}

/** The index of everything people gave the gateway to read. Nothing here checks who may read what: callers name a scope they checked. */
export interface Retrieval {
  /** Splits, embeds and stores. A document of the same id stays findable until the new one replaces it at once. Progress counts chunks. */
  index(
    document: IndexedDocument,
    options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<{ chunks: number; tokens: number }>
  /** Removes a document, its passages, vectors, words and memberships. */
  forget(documentId: string): void
  readonly collections: Collections
  /** Best passages first. A reranker or an engine that fails makes the search simpler, never fail, unless `mode` is `vector`. */
  search(query: SearchQuery, signal: AbortSignal): Promise<Passage[]>
  /** Counted in another thread, with the encoding of current models. */
  countTokens(text: string): Promise<number>
  engineState(): EngineState
  /** Embeds documents (all by default) again in the background. What is there stays findable until it is replaced. */
  reindex(documentIds?: readonly string[]): void
  /** Called when the progress of a re-index changed; answers what ends the calls. */
  onProgress(listener: (state: EngineState) => void): () => void
  readonly routes: readonly Route[]
  /** Stops work under way within a second and ends the threads. */
  close(): Promise<void>
}

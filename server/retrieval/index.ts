import type { Logger } from '../lib/logger.ts'
import type { Providers } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import { createCurrentEngine, type CurrentEngine } from './embedding/current-engine.ts'
import type { EngineState } from './embedding/engine-state.ts'
import { suggestEngines, type EngineSuggestion } from './embedding/suggest-engines.ts'
import { tryEngine, type EngineTrial, type TriedValues } from './embedding/try-engine.ts'
import type { ExtractedDocument } from './extraction/index.ts'
import { createIndexThread } from './indexing/index-thread.ts'
import { createIndexer } from './indexing/indexer.ts'
import { createReindexer, type Reindexer } from './indexing/reindexer.ts'
import type { Passage, SearchQuery } from './passage.ts'
import { createReranker } from './reranking/rerank.ts'
import { createFinder } from './searching/find-passages.ts'
import type { IndexHealth } from './searching/messages.ts'
import { createSearchThread } from './searching/search-thread.ts'
import { createRetrievalStore, type RetrievalStore } from './store.ts'

export type { CollectionNames, CollectionReader, NamedCollection } from './collection-names.ts'
export type { EngineState } from './embedding/engine-state.ts'
export type { EngineSuggestion } from './embedding/suggest-engines.ts'
export type { EngineTrial, TriedValues } from './embedding/try-engine.ts'
export { createBytesReader, type DocumentBytes } from './extraction/extract-bytes.ts'
export { createExtraction, type ExtractedDocument, type Extraction } from './extraction/index.ts'
export type { Passage, SearchQuery } from './passage.ts'
export type { IndexHealth } from './searching/messages.ts'
export { createRetrievalRoutes } from './routes.ts'
export { createWebReader, type WebReader } from './web/read-page.ts'
export { hasSearchEngine, searchWeb } from './web/search-web.ts'
export { readFetchPolicy } from './web/web-policy.ts'

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

/**
 * The index of everything people gave the gateway to read. Nothing here checks who may read what:
 * callers name a scope they checked.
 */
export interface Retrieval {
  /**
   * Splits, embeds and stores. A document of the same id stays findable until the new one replaces
   * it at once. Progress counts chunks.
   */
  index(
    document: IndexedDocument,
    options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<{ chunks: number; tokens: number }>
  /**
   * Passages carry the new name from now on; what the old one says is found too until the document
   * is indexed again.
   */
  rename(documentId: string, name: string): void
  /** Removes a document, its passages, vectors, words and memberships. */
  forget(documentId: string): void
  /** The same for several documents, in one transaction. */
  forgetAll(documentIds: readonly string[]): void
  readonly collections: Collections
  /**
   * Best passages first. A reranker or an engine that fails makes the search simpler, never fail,
   * unless `mode` is `vector`.
   */
  search(query: SearchQuery, signal: AbortSignal): Promise<Passage[]>
  /**
   * Vectors of texts as questions, of unit length, by the engine in use. 502, 503 or 504 when it
   * does not answer.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>
  /** Counted in another thread, with the encoding of current models. */
  countTokens(text: string): Promise<number>
  engineState(): EngineState
  /**
   * Embeds documents (all by default) again in the background. What is there stays findable until
   * it is replaced.
   */
  reindex(documentIds?: readonly string[]): void
  /**
   * Stops a re-index. Documents not reached keep their old vectors and are found by words; the next
   * start goes on with them.
   */
  stopReindex(): void
  /** Called when the progress of a re-index changed; answers what ends the calls. */
  onProgress(listener: (state: EngineState) => void): () => void
  /** Models of connections that embed, for those who want a better engine than the one in use. */
  suggestEngines(): Promise<readonly EngineSuggestion[]>
  /**
   * Asks the engine that some values of settings would choose for one vector, without storing them.
   */
  tryEngine(values: TriedValues, signal: AbortSignal): Promise<EngineTrial>
  /** Whether every passage has its vector and its words. */
  checkHealth(): Promise<IndexHealth>
  /** Builds the index of words anew, then the vectors of all documents in the background. */
  rebuild(): Promise<void>
  /**
   * Removes what earlier runs left behind and goes on with a re-index they did not finish. Called
   * once, after the start.
   */
  resume(): void
  /** Stops work under way within a second and ends the threads. */
  close(): Promise<void>
}

/** What retrieval is built from. */
export interface RetrievalDependencies {
  readonly storage: Storage
  readonly settings: Settings
  readonly providers: Providers
  readonly log: Logger
  /**
   * Path of the library with the tables of vectors; the one shipped with the program when absent.
   */
  readonly vectorLibrary?: string | undefined
}

function describeEngine(
  engine: CurrentEngine,
  store: RetrievalStore,
  reindexer: Reindexer,
): EngineState {
  const { engine: used, kind, model } = engine.get()
  const { total, current, chunks } = store.counts(used.id)
  const documents = { total, current, failed: reindexer.failed() }
  const state = {
    engine: used.id,
    kind,
    model,
    dimensions: used.dimensions,
    problem: engine.problem(),
  }
  return { ...state, documents, chunks, reindex: reindexer.state() }
}

/** Opens the index that lies in the database. Threads are started when there is something to do. */
export function createRetrieval({
  storage,
  settings,
  providers,
  log,
  vectorLibrary,
}: RetrievalDependencies): Retrieval {
  const database = storage.sqlite.name
  const store = createRetrievalStore(storage)
  const engine = createCurrentEngine({ settings, providers, log })
  let vectorProblem: string | null = null
  const noteVectors = (problem: string | null): void => {
    if (problem !== null && vectorProblem === null)
      log.error({ problem }, 'documents are searched by words only')
    vectorProblem = problem
  }
  const vectorBytes = settings.integer('RAG_VECTOR_MEMORY') * 1024 * 1024
  const indexThread = createIndexThread(
    { database, writeTurns: storage.writeTurns, vectorLibrary },
    noteVectors,
  )
  const searchThread = createSearchThread({ database, vectorBytes, vectorLibrary }, noteVectors)
  const indexer = createIndexer({ settings, store, engine, thread: indexThread })
  const reindexer = createReindexer({ store, indexer, engine, log })
  const reranker = createReranker(settings)
  const finder = createFinder({
    settings,
    engine,
    thread: searchThread,
    vectorProblem: () => vectorProblem,
    reranker,
    log,
  })
  const engineState = (): EngineState => {
    const state = describeEngine(engine, store, reindexer)
    return { ...state, problem: vectorProblem ?? state.problem }
  }
  engine.onChange(() => reindexer.followEngine())
  function forgetAll(documentIds: readonly string[]): void {
    for (const id of documentIds) indexer.stop(id)
    store.hide(documentIds)
    if (store.hasLeftovers()) indexThread.purge()
  }

  return {
    index: ({ id, kind, name, content, metadata = {} }, options) =>
      indexer.index(id, { id, kind, name, content, metadata }, options),
    rename: (documentId, name) => store.rename(documentId, name),
    forget: (documentId) => forgetAll([documentId]),
    forgetAll,
    collections: {
      add: (collection, documentId) => store.addMember(collection, documentId),
      remove: (collection, documentId) => store.removeMember(collection, documentId),
      documents: (collection) => store.members(collection),
      clear: (collection) => store.clearMembers(collection),
      drop: (collection) => store.clearMembers(collection),
    },
    search: (query, signal) => finder.search(query, signal),
    embed: async (texts, signal) =>
      (await engine.embedQueries(texts, signal)).map((vector) => [...vector]),
    countTokens: (text) => searchThread.countTokens(text),
    engineState,
    reindex: (documentIds) => reindexer.add(documentIds ?? store.all()),
    stopReindex: () => reindexer.stop(),
    onProgress: (listener) => reindexer.onProgress(() => listener(engineState())),
    suggestEngines: () => suggestEngines(providers),
    tryEngine: (values, signal) => tryEngine({ settings, providers }, values, signal),
    checkHealth: () => searchThread.checkHealth(),
    async rebuild() {
      await indexThread.rebuildWords()
      reindexer.add(store.all())
    },
    resume() {
      if (store.hasLeftovers()) indexThread.purge()
      reindexer.followEngine()
    },
    async close() {
      reindexer.close()
      indexer.close()
      await Promise.all([indexThread.close(), searchThread.close(), engine.close()])
    },
  }
}

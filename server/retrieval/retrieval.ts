import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import type { Providers } from '../providers/index.ts'
import type { RetrievalSettings } from './retrieval-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { DocumentIndex } from './document-index.ts'
import { CurrentEngine } from './embedding/current-engine.ts'
import type { EngineState } from './embedding/engine-state.ts'
import { suggestEngines, type EngineSuggestion } from './embedding/suggest-engines.ts'
import { tryEngine, type EngineTrial, type TriedValues } from './embedding/try-engine.ts'
import type { ExtractedDocument } from './extraction/index.ts'
import { Indexer } from './indexing/indexer.ts'
import { OthersReindex } from './indexing/others-reindex.ts'
import { Reindexer } from './indexing/reindexer.ts'
import type { Passage, SearchQuery } from './passage.ts'
import { Reranker } from './reranking/rerank.ts'
import { suggestRerankers, type RerankerSuggestion } from './reranking/suggest-rerankers.ts'
import { Finder } from './searching/find-passages.ts'
import type { IndexHealth } from './searching/messages.ts'
import { openPostgresIndex } from './postgres/open-postgres-index.ts'
import { openSqliteIndex } from './sqlite-index.ts'
import { RetrievalStore } from './store.ts'

/** A document to be indexed. */
export interface IndexedDocument {
  readonly id: string
  readonly kind: 'file' | 'web' | 'text'
  readonly name: string
  readonly content: ExtractedDocument
  readonly metadata?: Record<string, unknown>
}

/** Named sets of documents; a document in three of them is embedded once. */
export interface Collections {
  add(collection: string, documentId: string): Promise<void>
  /** Adds it only while the collection still exists; `isThere` is called within the transaction. */
  addWhile(
    collection: string,
    documentId: string,
    isThere: () => Promise<boolean>,
  ): Promise<boolean>
  remove(collection: string, documentId: string): Promise<void>
  documents(collection: string): Promise<string[]>
  clear(collection: string): Promise<void>
  drop(collection: string): Promise<void>
}

/** Dependencies of retrieval. */
export interface RetrievalDependencies {
  readonly storage: Storage
  readonly settings: RetrievalSettings
  readonly providers: Providers
  /** Connection to the other gateways on the database; none when absent. */
  readonly live?: Live | null
  readonly log: Logger
  /** Path of the library for tables of vectors; the bundled one when absent. */
  readonly vectorLibrary?: string
}

async function describeEngine(
  engine: CurrentEngine,
  store: RetrievalStore,
  reindexer: Reindexer,
): Promise<EngineState> {
  const { engine: used, kind, model } = engine.get()
  const { total, current, chunks } = await store.counts(used.id)
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

function openIndex(
  { storage, settings, live, log, vectorLibrary }: RetrievalDependencies,
  onVectorsChecked: (problem: string | null) => void,
): DocumentIndex {
  if (storage.engine === 'postgres') return openPostgresIndex(storage, log, live?.self)
  const { sqlite, writeTurns } = storage
  const vectorBytes = settings.get('RAG_VECTOR_MEMORY') * 1024 * 1024
  const options = { database: sqlite.name, writeTurns, vectorBytes, vectorLibrary }
  return openSqliteIndex(options, onVectorsChecked)
}

/**
 * Index of all content for retrieval. Performs no access checks: callers pass a scope they have
 * checked.
 */
export class Retrieval {
  readonly #deps: RetrievalDependencies
  readonly #store
  readonly #engine
  #vectorProblem: string | null = null
  readonly #writer
  readonly #reader
  readonly #indexer
  readonly #reindexer
  readonly #finder
  readonly collections: Collections

  readonly #noteVectors = (problem: string | null): void => {
    if (problem !== null && this.#vectorProblem === null)
      this.#deps.log.error({ problem }, 'documents are searched by words only')
    this.#vectorProblem = problem
  }

  /** Opens the index in the database. Threads are started on demand. */
  constructor(deps: RetrievalDependencies) {
    this.#deps = deps
    const { storage, settings, providers, live, log } = deps
    this.#store = new RetrievalStore(storage)
    this.#engine = new CurrentEngine({ settings, providers, log })
    const { writer, reader } = openIndex(deps, this.#noteVectors)
    this.#writer = writer
    this.#reader = reader
    this.#indexer = new Indexer({
      settings,
      store: this.#store,
      engine: this.#engine,
      writer,
    })
    this.#reindexer = new Reindexer({
      store: this.#store,
      indexer: this.#indexer,
      engine: this.#engine,
      others: live ? new OthersReindex(live) : null,
      log,
    })
    const reranker = new Reranker(settings, providers)
    this.#finder = new Finder({
      settings,
      engine: this.#engine,
      reader,
      vectorProblem: () => this.#vectorProblem,
      reranker,
      log,
    })
    this.#engine.onChange(() => this.#reindexer.followEngine())
    this.collections = {
      add: (collection, documentId) => this.#store.addMember(collection, documentId),
      addWhile: (collection, documentId, isThere) =>
        storage.transaction(async () => {
          if (!(await isThere())) return false
          await this.#store.addMember(collection, documentId)
          return true
        }),
      remove: (collection, documentId) => this.#store.removeMember(collection, documentId),
      documents: (collection) => this.#store.members(collection),
      clear: (collection) => this.#store.clearMembers(collection),
      drop: (collection) => this.#store.clearMembers(collection),
    }
  }

  /**
   * Splits, embeds and stores a document. One with the same id stays searchable until the new one
   * replaces it atomically. Progress counts chunks.
   */
  index(
    { id, kind, name, content, metadata = {} }: IndexedDocument,
    options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<{ chunks: number; tokens: number }> {
    return this.#indexer.index(id, { id, kind, name, content, metadata }, options)
  }

  /**
   * Renames a document. Passages have the new name from now on; the old one is still found too
   * until the document is re-indexed.
   */
  async rename(documentId: string, name: string): Promise<void> {
    await this.#store.rename(documentId, name)
  }

  /** Removes a document, its passages, vectors, words and memberships. */
  async forget(documentId: string): Promise<void> {
    await this.forgetAll([documentId])
  }

  /** Same as `forget`, for several documents in one transaction. */
  async forgetAll(documentIds: readonly string[]): Promise<void> {
    for (const id of documentIds) this.#indexer.stop(id)
    await this.#store.hide(documentIds)
    if (await this.#store.hasLeftovers()) this.#writer.purge()
  }

  /**
   * Returns the best passages first. If a reranker or an engine fails the search is simplified and
   * does not fail, unless `mode` is `vector`.
   */
  search(query: SearchQuery, signal: AbortSignal): Promise<Passage[]> {
    return this.#finder.search(query, signal)
  }

  /**
   * Returns the vectors of texts as queries, of unit length, by the current engine. Throws 502, 503
   * or 504 if it does not respond.
   */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    return (await this.#engine.embedQueries(texts, signal)).map((vector) => [...vector])
  }

  /** Counts in another thread, with the encoding of current models. */
  countTokens(text: string): Promise<number> {
    return this.#reader.countTokens(text)
  }

  async engineState(): Promise<EngineState> {
    const state = await describeEngine(this.#engine, this.#store, this.#reindexer)
    return { ...state, problem: this.#vectorProblem ?? state.problem }
  }

  /**
   * Re-embeds documents (all by default) in the background. The current index stays searchable
   * until it is replaced.
   */
  async reindex(documentIds?: readonly string[]): Promise<void> {
    this.#reindexer.add(documentIds ?? (await this.#store.all()))
  }

  /**
   * Stops a re-index. The remaining documents keep their old vectors and are found by words; the
   * next start continues.
   */
  stopReindex(): void {
    this.#reindexer.stop()
  }

  /** Adds a listener for the progress of a re-index; returns the function that removes it. */
  onProgress(listener: (state: EngineState) => void): () => void {
    let told = Promise.resolve()
    return this.#reindexer.onProgress(() => {
      const reindex = this.#reindexer.state()
      // In order, regardless of how long the database takes for each.
      told = told
        .then(async () => listener({ ...(await this.engineState()), reindex }))
        .catch((error: unknown) =>
          this.#deps.log.warn({ error }, 'the progress of reindexing could not be reported'),
        )
    })
  }

  /** Returns embedding models of the connections, as alternatives to the current engine. */
  suggestEngines(): Promise<readonly EngineSuggestion[]> {
    return suggestEngines(this.#deps.providers)
  }

  suggestRerankers(): Promise<readonly RerankerSuggestion[]> {
    return suggestRerankers(this.#deps.providers)
  }

  /**
   * Requests one vector from the engine that the given settings would select, without storing them.
   */
  tryEngine(values: TriedValues, signal: AbortSignal): Promise<EngineTrial> {
    return tryEngine(
      { settings: this.#deps.settings, providers: this.#deps.providers },
      values,
      signal,
    )
  }

  /** Checks that every passage has its vector and its words. */
  checkHealth(): Promise<IndexHealth> {
    return this.#reader.checkHealth()
  }

  /** Rebuilds the word index, then the vectors of all documents in the background. */
  async rebuild(): Promise<void> {
    await this.#writer.rebuildWords()
    this.#reindexer.add(await this.#store.all())
  }

  /**
   * Removes leftovers of earlier runs and continues an unfinished re-index. Called once, after the
   * start.
   */
  async resume(): Promise<void> {
    if (await this.#store.hasLeftovers()) this.#writer.purge()
    await this.#reindexer.open()
  }

  /** Stops current work within a second and ends the threads. */
  async close(): Promise<void> {
    this.#reindexer.close()
    this.#indexer.close()
    await Promise.all([this.#writer.close(), this.#reader.close(), this.#engine.close()])
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { conflict, ServiceError, unavailable } from '../../lib/errors.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'
import type { CurrentEngine } from '../embedding/current-engine.ts'
import type { RetrievalStore } from '../store.ts'
import type { CompleteVersion, IndexWriter, JobHandlers } from '../document-index.ts'
import type { IndexingPlan, IndexingSource } from './messages.ts'

/** Dependencies of the indexer. */
export interface IndexerTools {
  readonly settings: RetrievalSettings
  readonly store: RetrievalStore
  readonly engine: CurrentEngine
  readonly writer: IndexWriter
}

/** Tokens reserved for headings before a passage, if an engine only accepts short texts. */
const HEADING_TOKENS = 64
const SMALLEST = 32
/** Number of batches the engine processes while others are written. */
const PARALLEL = 2
const RETRIES = [500, 2000, 5000]
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

function toPlan(settings: RetrievalSettings, current: CurrentEngine): IndexingPlan {
  const { engine, kind } = current.get()
  const unit = settings.get('TEXT_SPLITTER') === 'token' ? 'tokens' : 'characters'
  // A token is at least one character in any script, so characters are a safe measure too.
  const size = Math.max(
    SMALLEST,
    Math.min(settings.get('CHUNK_SIZE'), engine.maximumTokens - HEADING_TOKENS),
  )
  const wanted = settings.get('RAG_EMBEDDING_CONCURRENT_REQUESTS')
  const parallel = settings.get('ENABLE_ASYNC_EMBEDDING') ? (wanted === 0 ? PARALLEL : wanted) : 1
  return {
    size,
    overlap: Math.min(settings.get('CHUNK_OVERLAP'), Math.floor(size / 2)),
    minimum: Math.min(settings.get('CHUNK_MIN_SIZE_TARGET'), Math.floor(size / 2)),
    breakAtHeadings: settings.get('ENABLE_MARKDOWN_HEADER_TEXT_SPLITTER'),
    unit,
    engine: engine.id,
    batch: kind === 'built-in' ? 64 : settings.get('RAG_EMBEDDING_BATCH_SIZE'),
    parallel,
  }
}

/** Adds documents to the index, one version after the other. */
export class Indexer {
  readonly #tools: IndexerTools
  readonly #running = new Map<string, AbortController>()

  constructor(tools: IndexerTools) {
    this.#tools = tools
  }

  async index(
    id: string,
    source: IndexingSource,
    {
      signal: outer,
      onProgress = () => {},
    }: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<{ chunks: number; tokens: number }> {
    outer.throwIfAborted()
    const stopper = this.#begin(id)
    const signal = AbortSignal.any([outer, stopper.signal])
    try {
      const version = await this.#makeVersion(source, onProgress, signal)
      try {
        signal.throwIfAborted()
        await this.#tools.store.putInPlace(id, version.seq)
      } finally {
        version.settle()
      }
      return { chunks: version.chunks, tokens: version.tokens }
    } finally {
      if (this.#running.get(id) === stopper) this.#running.delete(id)
    }
  }

  /** Returns true if a document is being indexed. */
  isBusy(id: string): boolean {
    return this.#running.has(id)
  }

  /** Aborts the indexing of a document. */
  stop(id: string): void {
    this.#running.get(id)?.abort(conflict('The document was removed while it was read.'))
    this.#running.delete(id)
  }

  close(): void {
    for (const stopper of this.#running.values())
      stopper.abort(unavailable('The gateway is stopping.'))
    this.#running.clear()
  }

  /** A busy or restarting engine is retried a few times. */
  async #embed(
    texts: readonly string[],
    engineId: string,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    for (let attempt = 0; ; attempt += 1) {
      if (this.#tools.engine.get().engine.id !== engineId)
        throw unavailable('The embedding engine was changed while the document was read.')
      try {
        return await this.#tools.engine.embedPassages(texts, signal)
      } catch (error) {
        const pause = RETRIES[attempt]
        if (
          pause === undefined ||
          signal.aborted ||
          !(error instanceof ServiceError) ||
          !RETRIED.has(error.status)
        )
          throw error
        await sleep(pause, null, { signal })
      }
    }
  }

  #begin(id: string): AbortController {
    this.#running
      .get(id)
      ?.abort(conflict('The document was replaced by a newer one while it was read.'))
    const stopper = new AbortController()
    this.#running.set(id, stopper)
    return stopper
  }

  /**
   * Restarts if another engine is selected meanwhile: the previous one's vectors could not be
   * compared with any other.
   */
  async #makeVersion(
    source: IndexingSource,
    onProgress: JobHandlers['onProgress'],
    signal: AbortSignal,
  ): Promise<CompleteVersion> {
    const { settings, engine, writer } = this.#tools
    for (;;) {
      const plan = toPlan(settings, engine)
      const isInUse = (): boolean => engine.get().engine.id === plan.engine
      const handlers = {
        embed: (texts: readonly string[]) => this.#embed(texts, plan.engine, signal),
        onProgress,
      }
      try {
        const version = await writer.run(source, plan, handlers, signal)
        if (isInUse()) return version
        version.settle()
      } catch (error) {
        if (signal.aborted || isInUse()) throw error
      }
    }
  }
}

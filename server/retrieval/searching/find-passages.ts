import { unavailable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'
import type { CurrentEngine } from '../embedding/current-engine.ts'
import type { IndexReader } from '../document-index.ts'
import type { Passage, SearchQuery } from '../passage.ts'
import type { Reranker } from '../reranking/rerank.ts'
import type { SearchOrder } from './messages.ts'

/** Dependencies of the search. */
export interface FinderTools {
  readonly settings: RetrievalSettings
  readonly engine: CurrentEngine
  readonly reader: IndexReader
  /**
   * Returns the reason why there are no vectors; null if there are, or before the thread has
   * checked.
   */
  readonly vectorProblem: () => string | null
  readonly reranker: Reranker
  readonly log: Logger
}

const MOST_TEXTS = 8
const LONGEST_TEXT = 4000
/** Number of passages reranked for each requested one, and its minimum. */
const RERANKED = 4
const LEAST_RERANKED = 20

/** Returns the searchable wordings. */
const cleanTexts = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => text.trim().slice(0, LONGEST_TEXT).toWellFormed()))]
    .filter((text) => text !== '')
    .slice(0, MOST_TEXTS)

/**
 * Finds passages for a query: embeds it, searches the index, and has the passages reranked if
 * enabled.
 */
export class Finder {
  readonly #tools: FinderTools

  constructor(tools: FinderTools) {
    this.#tools = tools
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<Passage[]> {
    const texts = cleanTexts(query.texts)
    const hasScope = (query.collections?.length ?? 0) + (query.documents?.length ?? 0) > 0
    if (texts.length === 0 || !hasScope) return []
    const before = this.#tools.vectorProblem()
    const found = await this.#find(texts, query, signal)
    // The first search may be what detects the problem.
    return this.#tools.vectorProblem() === before ? found : this.#find(texts, query, signal)
  }

  #modeOf({ mode }: SearchQuery) {
    return mode ?? (this.#tools.settings.get('ENABLE_RAG_HYBRID_SEARCH') ? 'hybrid' : 'vector')
  }

  /** Resolves with null if the search must use words only. */
  async #embed(
    texts: readonly string[],
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<Float32Array[] | null> {
    const { vectorProblem, engine, log } = this.#tools
    if (this.#modeOf(query) === 'words') return null
    const problem = vectorProblem()
    if (problem !== null && query.mode === 'vector') throw unavailable(problem)
    if (problem !== null) return null
    try {
      return await engine.embedQueries(texts, signal)
    } catch (error) {
      if (signal.aborted || query.mode === 'vector') throw error
      log.warn(
        { error },
        'documents are searched by words only, because the embedding engine does not respond',
      )
      return null
    }
  }

  #toOrder(
    texts: readonly string[],
    vectors: readonly Float32Array[] | null,
    query: SearchQuery,
  ): SearchOrder {
    const { engine, settings } = this.#tools
    return {
      texts,
      vectors,
      engine: engine.get().engine.id,
      collections: query.collections ?? [],
      documents: query.documents ?? [],
      usesWords: vectors === null || this.#modeOf(query) !== 'vector',
      wordWeight: query.wordWeight ?? settings.get('HYBRID_BM25_WEIGHT'),
      limit: query.limit ?? settings.get('TOP_K'),
      threshold: query.threshold ?? settings.get('RELEVANCE_THRESHOLD'),
      tokenBudget: query.tokenBudget ?? null,
      joinsNeighbours: true,
    }
  }

  async #searchAndRank(
    order: SearchOrder,
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const { reader, settings, reranker, log } = this.#tools
    const limit = Math.max(LEAST_RERANKED, order.limit * RERANKED)
    const candidates = await reader.search(
      { ...order, limit, threshold: 0, tokenBudget: null, joinsNeighbours: false },
      signal,
    )
    const wanted = query.rerankLimit ?? query.limit ?? settings.get('TOP_K_RERANKER')
    try {
      const ranked = await reranker.rank(order.texts.join('\n'), candidates, signal)
      return await reader.choose(ranked, { ...order, limit: wanted }, signal)
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ error }, 'passages keep their order, because the reranker does not respond')
      return reader.choose(candidates, order, signal)
    }
  }

  async #find(
    texts: readonly string[],
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const { reranker, reader } = this.#tools
    const order = this.#toOrder(texts, await this.#embed(texts, query, signal), query)
    const ranks = query.rerank ?? reranker.isOn()
    return ranks && reranker.isOn()
      ? this.#searchAndRank(order, query, signal)
      : reader.search(order, signal)
  }
}

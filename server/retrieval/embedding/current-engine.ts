import { ServiceError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Providers } from '../../providers/index.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'
import { chooseEngine, type ChosenEngine } from './choose-engine.ts'

const REMEMBERED_QUERIES = 200
const ENGINE_KEYS =
  /^RAG_(EMBEDDING_(ENGINE|MODEL|QUERY_PREFIX|CONTENT_PREFIX)|OPENAI_|LLMHOST_|AZURE_OPENAI_)/

/** The current engine, which follows the settings. */
export class CurrentEngine {
  readonly #log
  readonly #listeners: (() => Promise<void>)[] = []
  readonly #queries = new Map<string, Float32Array>()
  #chosen
  #problem: string | null = null

  constructor({
    settings,
    providers,
    log,
  }: {
    settings: RetrievalSettings
    providers: Providers
    log: Logger
  }) {
    this.#log = log
    this.#chosen = chooseEngine(settings, providers)
    settings.onChange(async (keys) => {
      if (!keys.some((key) => ENGINE_KEYS.test(key))) return
      const left = this.#chosen
      this.#chosen = chooseEngine(settings, providers)
      this.#problem = null
      this.#queries.clear()
      void left.engine.close?.()
      for (const listener of this.#listeners) await listener()
    })
  }

  get(): ChosenEngine {
    return this.#chosen
  }

  /** Returns the vectors of queries, from a small cache if they were requested recently. */
  async embedQueries(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const missing = [...new Set(texts.filter((text) => !this.#queries.has(text)))]
    const vectors = missing.length > 0 ? await this.#embed(missing, 'query', signal) : []
    const fresh = new Map(missing.map((text, place) => [text, vectors[place]!]))
    const found = texts.map((text) => fresh.get(text) ?? this.#queries.get(text)!)
    for (const [text, vector] of fresh) this.#queries.set(text, vector)
    while (this.#queries.size > REMEMBERED_QUERIES)
      this.#queries.delete(this.#queries.keys().next().value!)
    return found
  }

  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    return this.#embed(texts, 'passage', signal)
  }

  /** Returns the last error; null if the last call succeeded. */
  problem(): string | null {
    return this.#problem
  }

  /** Adds a listener that is called after the settings selected another engine. */
  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  async close(): Promise<void> {
    return this.#chosen.engine.close?.()
  }

  async #embed(
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { engine } = this.#chosen
    try {
      const vectors = await engine.embed(texts, kind, signal)
      if (engine === this.#chosen.engine) this.#problem = null
      return vectors
    } catch (error) {
      if (!signal.aborted && engine === this.#chosen.engine) {
        this.#problem =
          error instanceof ServiceError ? error.message : 'The embedding engine failed.'
        this.#log.warn({ error, engine: engine.id }, 'texts could not be embedded')
      }
      throw error
    }
  }
}

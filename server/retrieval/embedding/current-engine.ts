import { ServiceError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Providers } from '../../providers/index.ts'
import type { Settings } from '../../settings/index.ts'
import { chooseEngine, type ChosenEngine } from './choose-engine.ts'

/** The engine in use, which follows the settings. */
export interface CurrentEngine {
  get(): ChosenEngine
  /** Vectors of queries, from a short memory when they were asked for lately. */
  embedQueries(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  /** What went wrong last; null when the last call went well. */
  problem(): string | null
  /** Called after the settings chose another one. */
  onChange(listener: () => void): void
  close(): Promise<void>
}

const REMEMBERED_QUERIES = 200
const ENGINE_KEYS =
  /^RAG_(EMBEDDING_(ENGINE|MODEL|QUERY_PREFIX|CONTENT_PREFIX)|OPENAI_|LLMHOST_|AZURE_OPENAI_)/

export function createCurrentEngine({
  settings,
  providers,
  log,
}: {
  settings: Settings
  providers: Providers
  log: Logger
}): CurrentEngine {
  const listeners: (() => void)[] = []
  const queries = new Map<string, Float32Array>()
  let chosen = chooseEngine(settings, providers)
  let problem: string | null = null

  settings.onChange((keys) => {
    if (!keys.some((key) => ENGINE_KEYS.test(key))) return
    const left = chosen
    chosen = chooseEngine(settings, providers)
    problem = null
    queries.clear()
    void left.engine.close?.()
    for (const listener of listeners) listener()
  })

  async function embed(
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { engine } = chosen
    try {
      const vectors = await engine.embed(texts, kind, signal)
      if (engine === chosen.engine) problem = null
      return vectors
    } catch (error) {
      if (!signal.aborted && engine === chosen.engine) {
        problem = error instanceof ServiceError ? error.message : 'The embedding engine failed.'
        log.warn({ error, engine: engine.id }, 'texts could not be embedded')
      }
      throw error
    }
  }

  return {
    get: () => chosen,
    async embedQueries(texts, signal) {
      const missing = [...new Set(texts.filter((text) => !queries.has(text)))]
      const vectors = missing.length > 0 ? await embed(missing, 'query', signal) : []
      const fresh = new Map(missing.map((text, place) => [text, vectors[place]!]))
      const found = texts.map((text) => fresh.get(text) ?? queries.get(text)!)
      for (const [text, vector] of fresh) queries.set(text, vector)
      while (queries.size > REMEMBERED_QUERIES) queries.delete(queries.keys().next().value!)
      return found
    },
    embedPassages: (texts, signal) => embed(texts, 'passage', signal),
    problem: () => problem,
    onChange: (listener) => void listeners.push(listener),
    close: async () => chosen.engine.close?.(),
  }
}

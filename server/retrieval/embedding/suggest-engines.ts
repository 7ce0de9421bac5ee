import type { Providers } from '../../providers/index.ts'

/** A model that could replace the current engine. */
export interface EngineSuggestion {
  /** Settings that select it. */
  readonly settings: {
    readonly RAG_EMBEDDING_ENGINE: 'llmhost' | 'openai'
    readonly RAG_EMBEDDING_MODEL: string
  }
  readonly model: string
  readonly connection: string
  /** False if the texts of documents would leave this computer. */
  readonly isLocal: boolean
}

/** Returns the models of the connections that only embed, those of this computer first. */
export async function suggestEngines(providers: Providers): Promise<EngineSuggestion[]> {
  const offered = await providers.listEmbeddingModels()
  const found = offered.flatMap(({ publicId, provider, model }): EngineSuggestion[] => {
    if (provider.kind !== 'runtime' && provider.kind !== 'compatible') return []
    const engine = provider.kind === 'runtime' ? 'llmhost' : 'openai'
    const isLocal = provider.type === 'local' && model.leavesComputer !== true
    return [
      {
        settings: { RAG_EMBEDDING_ENGINE: engine, RAG_EMBEDDING_MODEL: publicId },
        model: model.name,
        connection: provider.name,
        isLocal,
      },
    ]
  })
  return found.sort((a, b) => Number(b.isLocal) - Number(a.isLocal))
}

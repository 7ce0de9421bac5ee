import type { Providers } from '../../providers/index.ts'
import type { EngineSuggestion } from '../embedding/suggest-engines.ts'

/** A model that could rank passages. */
export type RerankerSuggestion = Omit<EngineSuggestion, 'settings'> & {
  /** Settings that select it. */
  readonly settings: {
    readonly RAG_RERANKING_ENGINE: 'llmhost'
    readonly RAG_RERANKING_MODEL: string
  }
}

/** Returns the models of local runtimes that rank texts, those of this computer first. */
export async function suggestRerankers(providers: Providers): Promise<RerankerSuggestion[]> {
  const offered = await providers.listRankingModels()
  const found = offered.map(({ publicId, provider, model }): RerankerSuggestion => ({
    settings: { RAG_RERANKING_ENGINE: 'llmhost', RAG_RERANKING_MODEL: publicId },
    model: model.name,
    connection: provider.name,
    isLocal: provider.type === 'local' && model.leavesComputer !== true,
  }))
  return found.sort((a, b) => Number(b.isLocal) - Number(a.isLocal))
}

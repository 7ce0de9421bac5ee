import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { RetrievalSettings } from './retrieval-settings.ts'
import { readConfig, readEmbedding, updateConfig, updateEmbedding } from './config-tree.ts'

/**
 * Creates the routes of retrieval settings in the groups old clients know (docs/wire-format.md).
 */
export function createRetrievalConfigRoutes(settings: RetrievalSettings): Route[] {
  const { retrieval } = endpoints
  return [
    route(retrieval.embedding, () => readEmbedding(settings)),
    route(retrieval.updateEmbedding, ({ body }) => updateEmbedding(settings, body)),
    route(retrieval.config, () => readConfig(settings)),
    route(retrieval.updateConfig, ({ body }) => updateConfig(settings, body)),
  ]
}

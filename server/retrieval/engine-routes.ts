import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Retrieval } from './retrieval.ts'

const toReply = <Suggestion extends { readonly isLocal: boolean }>({
  isLocal,
  ...suggestion
}: Suggestion) => ({ ...suggestion, is_local: isLocal })

/** Creates the routes by which administrators monitor and change the embedding engine. */
export function createEngineRoutes(
  retrieval: Pick<
    Retrieval,
    | 'engineState'
    | 'suggestEngines'
    | 'suggestRerankers'
    | 'tryEngine'
    | 'checkHealth'
    | 'reindex'
    | 'stopReindex'
    | 'rebuild'
  >,
): Route[] {
  const table = endpoints.retrieval
  return [
    route(table.engine, () => retrieval.engineState()),
    route(table.suggestEngines, async () => (await retrieval.suggestEngines()).map(toReply)),
    route(table.suggestRerankers, async () => (await retrieval.suggestRerankers()).map(toReply)),
    route(table.tryEngine, ({ body, signal }) => retrieval.tryEngine(body, signal)),
    route(table.checkIndex, () => retrieval.checkHealth()),
    route(table.reindex, async ({ body }) => {
      await retrieval.reindex(body.document_ids ?? undefined)
      return retrieval.engineState()
    }),
    route(table.stopReindex, async () => {
      retrieval.stopReindex()
      return retrieval.engineState()
    }),
    route(table.rebuildIndex, async () => {
      await retrieval.rebuild()
      return retrieval.engineState()
    }),
  ]
}

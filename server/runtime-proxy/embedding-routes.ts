import type { EmbeddingList, EmbeddingRequest } from '#contract/embeddings.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import type { Models } from '../models/index.ts'

interface EmbeddingCall {
  readonly caller: Caller
  readonly body: EmbeddingRequest
  readonly signal: AbortSignal
}

async function embed(models: Models, { caller, body, signal }: EmbeddingCall): Promise<EmbeddingList> {
  const { model, provider } = await models.resolve(caller, body.model)
  if (!provider.embed) throw badRequest('This model does not make embeddings. Choose another one.')
  return { ...(await provider.embed({ model: model.id, body, signal })), model: body.model }
}

export const createEmbeddingRoutes = (models: Models): Route[] => [route(endpoints.embeddings.create, (call) => embed(models, call))]

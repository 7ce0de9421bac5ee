import type { EmbeddingList, EmbeddingRequest } from '#contract/embeddings.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import type { Models } from '../models/index.ts'
import { isCounted, type TokenBooks } from './count-tokens.ts'

interface EmbeddingParts {
  readonly models: Models
  readonly auth: TokenBooks
}

interface EmbeddingCall {
  readonly caller: Caller
  readonly body: EmbeddingRequest
  readonly params: { readonly url_idx?: number | undefined }
  readonly signal: AbortSignal
}

async function embed({ models, auth }: EmbeddingParts, { caller, body, params, signal }: EmbeddingCall): Promise<EmbeddingList> {
  const { model, provider } = await models.resolve(caller, body.model, params.url_idx)
  if (!provider.embed) throw badRequest('This model does not make embeddings. Choose another one.')
  const list = await provider.embed({ model: model.id, body, signal })
  const tokens = list.usage?.['total_tokens']
  if (caller.keyId !== null && isCounted(auth, caller) && typeof tokens === 'number') auth.countUsage(caller.keyId, tokens)
  return { ...list, model: body.model }
}

export const createEmbeddingRoutes = (parts: EmbeddingParts): Route[] => [route(endpoints.embeddings.create, (call) => embed(parts, call))]

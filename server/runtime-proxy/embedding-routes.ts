import type { embeddingEndpoints, EmbeddingList } from '#contract/embeddings.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest } from '../lib/errors.ts'
import { httpRoute, type HttpCall, type Route } from '../lib/http.ts'
import { estimatePrompt } from '../lib/text/estimate-call.ts'
import { meantPlace, type Models } from '../models/index.ts'
import { noteDroppedFields } from '../providers/index.ts'
import type { TokenBooks } from './count-tokens.ts'

interface EmbeddingParts {
  readonly models: Models
  readonly auth: TokenBooks
}

type EmbeddingCall = HttpCall<typeof embeddingEndpoints.create>

async function embed(
  { models, auth }: EmbeddingParts,
  call: EmbeddingCall,
): Promise<EmbeddingList> {
  const { caller, body, signal, notes } = call
  const { model, provider } = await models.resolve(caller, body.model, meantPlace(call))
  if (!provider.embed) throw badRequest('This model does not make embeddings. Choose another one.')
  if (notes) noteDroppedFields(notes, body)
  const expected = estimatePrompt(body)
  const kept =
    caller.keyId === null ? null : await auth.apiKeys.reserveTokens(caller.keyId, expected)
  let used = 0
  try {
    const list = await provider.embed({ model: model.id, body, signal, notes })
    used = Number(list.usage?.['total_tokens'] ?? 0)
    return { ...list, model: body.model }
  } finally {
    kept?.settle(used || (signal.aborted ? expected : 0))
  }
}

export const createEmbeddingRoutes = (parts: EmbeddingParts): Route[] => [
  httpRoute(endpoints.embeddings.create, (call) => embed(parts, call)),
]

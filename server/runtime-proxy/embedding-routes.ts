import type { embeddingEndpoints, EmbeddingList, RerankList } from '#contract/embeddings.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
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
  return countCall(auth, { caller, signal, expected: estimatePrompt(body) }, async () => {
    const list = await provider.embed!({ model: model.id, body, signal, notes })
    return {
      answer: { ...list, model: body.model },
      used: Number(list.usage?.['total_tokens'] ?? 0),
    }
  })
}

const toText = (document: string | { text: string }): string =>
  typeof document === 'string' ? document : document.text

async function rerank(
  { models, auth }: EmbeddingParts,
  call: HttpCall<typeof embeddingEndpoints.rerank>,
): Promise<RerankList> {
  const { caller, body, signal } = call
  const { model, provider } = await models.resolve(caller, body.model, meantPlace(call))
  if (!provider.rank) throw badRequest('This model does not rank texts. Choose another one.')
  const texts = body.documents.map(toText)
  // The model reads the query with each text.
  const expected =
    estimatePrompt({ input: texts }) + texts.length * estimatePrompt({ prompt: body.query })
  return countCall(auth, { caller, signal, expected }, async () => {
    const { query } = body
    const { scores, tokens } = await provider.rank!({ model: model.id, query, texts, signal })
    const results = scores
      .map((score, index) => ({
        index,
        relevance_score: score,
        ...(body.return_documents && { document: { text: texts[index]! } }),
      }))
      .toSorted((one, other) => other.relevance_score - one.relevance_score)
      .slice(0, body.top_n ?? undefined)
    const answer: RerankList = {
      id: `rerank-${newId()}`,
      object: 'list',
      model: body.model,
      results,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }
    return { answer, used: tokens }
  })
}

interface Counted {
  readonly caller: EmbeddingCall['caller']
  readonly signal: AbortSignal
  readonly expected: number
}

/** Counts the tokens of a call for the limit of its key; those of a failed call are free. */
async function countCall<Answer>(
  auth: TokenBooks,
  { caller, signal, expected }: Counted,
  work: () => Promise<{ answer: Answer; used: number }>,
): Promise<Answer> {
  const kept =
    caller.keyId === null ? null : await auth.apiKeys.reserveTokens(caller.keyId, expected)
  let used = 0
  try {
    const done = await work()
    used = done.used
    return done.answer
  } finally {
    kept?.settle(used || (signal.aborted ? expected : 0))
  }
}

export const createEmbeddingRoutes = (parts: EmbeddingParts): Route[] => [
  httpRoute(endpoints.embeddings.create, (call) => embed(parts, call)),
  httpRoute(endpoints.embeddings.rerank, (call) => rerank(parts, call)),
]

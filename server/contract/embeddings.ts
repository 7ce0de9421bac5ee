import { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { connectionPlaceParams, RUNTIME_PATHS } from './runtime-proxy.ts'

/** Texts, or tokenized texts, whose embeddings are requested. */
export const embeddingRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    input: z.union([
      z.string(),
      z.array(z.string()).min(1).max(10_000),
      z.array(z.int()).min(1).max(1_000_000),
      z.array(z.array(z.int()).min(1)).min(1).max(10_000),
    ]),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    dimensions: z.int().min(1).nullish(),
  })
  .meta({
    id: 'EmbeddingRequest',
    example: { model: 'nomic-embed-text', input: ['Blue sky', 'Red sunset'] },
  })
export type EmbeddingRequest = z.output<typeof embeddingRequestSchema>

/** One embedding per input, in order; a base64 text if that was requested. */
export const embeddingListSchema = z
  .looseObject({
    object: z.literal('list'),
    model: z.string(),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    usage: jsonObjectSchema.optional(),
  })
  .meta({ id: 'EmbeddingList' })
export type EmbeddingList = z.output<typeof embeddingListSchema>

/** Texts to be put in order by their relevance to a query. */
export const rerankRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(512),
    query: z.string().min(1),
    documents: z
      .array(z.union([z.string(), z.looseObject({ text: z.string() })]))
      .min(1)
      .max(1024),
    /** How many of the most relevant texts to return. */
    top_n: z.int().min(1).nullish(),
    return_documents: z.boolean().nullish(),
  })
  .meta({
    id: 'RerankRequest',
    example: {
      model: 'bge-reranker-v2-m3',
      query: 'What do bees make?',
      documents: ['Bees make honey.', 'Rivers flow.'],
      top_n: 1,
    },
  })

/** The texts by their index in the request, most relevant first. */
export const rerankListSchema = z
  .object({
    id: z.string(),
    object: z.literal('list'),
    model: z.string(),
    results: z.array(
      z.object({
        index: z.int(),
        relevance_score: z.number(),
        document: z.object({ text: z.string() }).optional(),
      }),
    ),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: 'RerankList' })
export type RerankList = z.output<typeof rerankListSchema>

export const embeddingEndpoints = defineEndpoints(
  { domain: 'embeddings', tag: 'Embeddings', root: '/api' },
  {
    create: {
      method: 'POST',
      path: '/embeddings',
      aliases: [
        '/api/v1/embeddings',
        '/v1/embeddings',
        '/openai/embeddings',
        '/llmhost/v1/embeddings',
        '/ollama/v1/embeddings',
        '/llmhost/v1/embeddings/:url_idx',
        '/ollama/v1/embeddings/:url_idx',
      ],
      errorDialect: 'chat-completions',
      takesAnyType: RUNTIME_PATHS,
      bodyLimit: 64 * 1024 * 1024,
      params: connectionPlaceParams,
      body: embeddingRequestSchema,
      response: embeddingListSchema,
      errors: [400, 413, 429, 502, 503, 504],
      summary: 'Embeddings of texts, by the connection that has the model.',
    },
    rerank: {
      method: 'POST',
      path: '/rerank',
      aliases: [
        '/api/v1/rerank',
        '/v1/rerank',
        '/llmhost/v1/rerank',
        '/ollama/v1/rerank',
        '/llmhost/v1/rerank/:url_idx',
        '/ollama/v1/rerank/:url_idx',
      ],
      errorDialect: 'chat-completions',
      takesAnyType: RUNTIME_PATHS,
      bodyLimit: 64 * 1024 * 1024,
      params: connectionPlaceParams,
      body: rerankRequestSchema,
      response: rerankListSchema,
      errors: [400, 413, 429, 502, 503, 504],
      summary: 'Texts in the order of their relevance to a query, by a model that ranks texts.',
    },
  },
)

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
  },
)

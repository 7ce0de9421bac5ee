import { idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/** Embedding engine in use, and the state of the index relative to it. */
export const engineStateSchema = z
  .object({
    engine: z.string(),
    kind: z.enum(['built-in', 'runtime', 'compatible']),
    /** Model of an external engine; null for the built-in one. */
    model: z.string().nullable(),
    /** Null until it has responded for the first time. */
    dimensions: z.int().nullable(),
    /** Last error, as a sentence; null while it works. */
    problem: z.string().nullable(),
    documents: z.object({
      total: z.int(),
      current: z.int(),
      failed: z.int(),
    }),
    chunks: z.int(),
    /** Running re-index: number of finished documents and total. */
    reindex: z
      .object({ done: z.int(), total: z.int(), document: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'EmbeddingEngineState' })
export type EngineStateReply = z.output<typeof engineStateSchema>

const suggested = {
  model: z.string(),
  connection: z.string(),
  /** False if texts of documents would leave this computer. */
  is_local: z.boolean(),
}
const suggestionSchema = z
  .object({
    /** Settings that select it. */
    settings: z.object({ RAG_EMBEDDING_ENGINE: z.string(), RAG_EMBEDDING_MODEL: z.string() }),
    ...suggested,
  })
  .meta({ id: 'EmbeddingEngineSuggestion' })
const rerankerSuggestionSchema = z
  .object({
    /** Settings that select it. */
    settings: z.object({ RAG_RERANKING_ENGINE: z.string(), RAG_RERANKING_MODEL: z.string() }),
    ...suggested,
  })
  .meta({ id: 'RerankerSuggestion' })

const WEB_ADDRESS = /^(https?:\/\/[^\s/?#]+(\/\S*)?)?$/i
const addressSchema = z
  .string()
  .max(2000)
  .regex(WEB_ADDRESS, 'an address that starts with http:// or https://')
  .optional()
const textSchema = z.string().max(2000).optional()
/** Settings to test; omitted ones keep their current value, and so does an empty key. */
const engineTrialSchema = z
  .object({
    RAG_EMBEDDING_ENGINE: z.enum(['', 'llmhost', 'ollama', 'openai', 'azure_openai']).optional(),
    RAG_EMBEDDING_MODEL: textSchema,
    RAG_OPENAI_API_BASE_URL: addressSchema,
    RAG_OPENAI_API_KEY: textSchema,
    RAG_LLMHOST_BASE_URL: addressSchema,
    RAG_LLMHOST_API_KEY: textSchema,
    RAG_AZURE_OPENAI_BASE_URL: addressSchema,
    RAG_AZURE_OPENAI_API_KEY: textSchema,
  })
  .meta({
    id: 'EmbeddingEngineTrial',
    example: { RAG_EMBEDDING_ENGINE: 'llmhost', RAG_EMBEDDING_MODEL: 'nomic-embed-text' },
  })

const row = { tag: 'Retrieval', auth: 'admin' } as const

export const retrievalEngineEndpoints = defineEndpoints(
  { domain: 'retrieval', root: '/api/v1/retrieval/engine', ...row },
  {
    engine: {
      method: 'GET',
      path: '',
      response: engineStateSchema,
      summary: 'The embedding engine in use, and the progress of embedding documents again.',
    },
    suggestEngines: {
      method: 'GET',
      path: '/suggestions',
      response: z.array(suggestionSchema),
      summary: 'Models of connections that could embed documents, those of this computer first.',
    },
    suggestRerankers: {
      method: 'GET',
      path: '/rerankers',
      response: z.array(rerankerSuggestionSchema),
      summary: 'Models of local runtimes that could rank passages, those of this computer first.',
    },
    tryEngine: {
      method: 'POST',
      path: '/test',
      body: engineTrialSchema,
      response: z
        .object({ dimensions: z.int(), milliseconds: z.int() })
        .meta({ id: 'EmbeddingEngineAnswer' }),
      errors: [400, 502, 503, 504],
      summary:
        'Requests one vector from the engine that the sent settings would choose. Nothing is stored.',
    },
    checkIndex: {
      method: 'GET',
      path: '/health',
      response: z
        .object({
          passages: z.int(),
          vectors: z.int(),
          codes: z.int(),
          words: z.int(),
        })
        .meta({ id: 'IndexHealth' }),
      summary:
        'Numbers of passages, vectors and word entries; the index is complete if they are equal.',
    },
    reindex: {
      method: 'POST',
      path: '/reindex',
      body: z
        .object({ document_ids: z.array(idSchema).max(100_000).nullish() })
        .meta({ id: 'ReindexInput', example: { document_ids: null } }),
      response: engineStateSchema,
      summary: 'Embeds documents again in the background, all of them when none are named.',
    },
    stopReindex: {
      method: 'POST',
      path: '/reindex/cancel',
      response: engineStateSchema,
      summary:
        'Stops embedding again after the current document; the remaining ones are found by their words.',
    },
    rebuildIndex: {
      method: 'POST',
      path: '/rebuild',
      response: engineStateSchema,
      summary: 'Rebuilds the index of words, then all vectors in the background.',
    },
  },
)

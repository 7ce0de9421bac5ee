import { doneSchema, flagSchema, idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

const collectionNameSchema = z.string().max(256)
const textSchema = z.string().max(50_000_000)
const urlSchema = z.string().min(1).max(8192)
const countSchema = z.int().min(1).max(1000).nullish()

/**
 * Fetched page, or captions of a video. With `process=false` nothing was stored and
 * `collection_name` is null.
 */
export const processedPageSchema = z
  .object({
    status: z.literal(true),
    collection_name: z.string().nullable(),
    filename: z.string(),
    content: z.string(),
    file: z.object({
      data: z.object({ content: z.string() }),
      meta: z.object({ name: z.string(), source: z.string() }),
    }),
    /** Parts that could not be read, one sentence each. */
    notices: z.array(z.string()),
  })
  .meta({ id: 'ProcessedPage' })
export type ProcessedPage = z.output<typeof processedPageSchema>

export const processedTextSchema = z
  .object({
    status: z.literal(true),
    collection_name: z.string(),
    filename: z.string(),
    content: z.string(),
  })
  .meta({ id: 'ProcessedText' })
export type ProcessedText = z.output<typeof processedTextSchema>

/**
 * Results, with one list entry per query; the gateway searches with all queries at once, so there
 * is only one entry. Scores range from 0 to 1, higher is better.
 */
export const queryResultSchema = z
  .object({
    ids: z.array(z.array(z.string())),
    distances: z.array(z.array(z.number())),
    documents: z.array(z.array(z.string())),
    metadatas: z.array(z.array(z.looseObject({ name: z.string(), source: z.string() }))),
  })
  .meta({ id: 'QueryResult' })
export type QueryResult = z.output<typeof queryResultSchema>

const queryFields = {
  query: z.string().min(1).max(20_000),
  k: countSchema,
  k_reranker: countSchema,
  /** Minimum score of the results. */
  r: z.number().min(0).max(1).nullish(),
  hybrid: z.boolean().nullish(),
  hybrid_bm25_weight: z.number().min(0).max(1).nullish(),
  enable_enriched_texts: z.boolean().nullish(),
}
export const queryDocumentSchema = z
  .object({ collection_name: collectionNameSchema.min(1), ...queryFields })
  .meta({
    id: 'QueryDocument',
    example: {
      collection_name: 'file-5a2f4a0e-3f0c-4f7e-9f1e-2b6f0d1c7a55',
      query: 'How is it cleaned?',
      k: 4,
    },
  })
export type QueryDocument = z.output<typeof queryDocumentSchema>
export const queryCollectionSchema = z
  .object({
    collection_names: z.array(collectionNameSchema.min(1)).min(1).max(100),
    ...queryFields,
  })
  .meta({
    id: 'QueryCollections',
    example: { collection_names: ['manuals'], query: 'How is it cleaned?', k: 4 },
  })

/** Page found by a web search. */
export const searchHitSchema = z
  .object({ link: z.string(), title: z.string().nullable(), snippet: z.string().nullable() })
  .meta({ id: 'SearchHit' })
export type SearchHit = z.output<typeof searchHitSchema>

const batchItemSchema = z.object({
  file_id: z.string(),
  status: z.enum(['completed', 'failed']),
  error: z.string().nullable(),
})

const endpointConfigSchema = z.object({ url: z.string(), key: z.string() })
/**
 * Keys are accepted but never returned: they read as empty, and empty or null keeps the stored one.
 */
export const embeddingConfigSchema = z
  .object({
    status: z.literal(true),
    RAG_EMBEDDING_ENGINE: z.string(),
    RAG_EMBEDDING_MODEL: z.string(),
    RAG_EMBEDDING_BATCH_SIZE: z.number(),
    ENABLE_ASYNC_EMBEDDING: z.boolean(),
    RAG_EMBEDDING_CONCURRENT_REQUESTS: z.number(),
    openai_config: endpointConfigSchema,
    ollama_config: endpointConfigSchema,
    azure_openai_config: endpointConfigSchema.extend({ version: z.string() }),
  })
  .meta({ id: 'EmbeddingConfig' })
export type EmbeddingConfig = z.output<typeof embeddingConfigSchema>

const endpointInput = { url: z.string().max(2000).nullish(), key: z.string().max(2000).nullish() }
export const embeddingConfigInputSchema = z
  .object({
    RAG_EMBEDDING_ENGINE: z.string().max(50).nullish(),
    RAG_EMBEDDING_MODEL: z.string().max(500).nullish(),
    RAG_EMBEDDING_BATCH_SIZE: z.number().nullish(),
    ENABLE_ASYNC_EMBEDDING: z.boolean().nullish(),
    RAG_EMBEDDING_CONCURRENT_REQUESTS: z.number().nullish(),
    openai_config: z.object(endpointInput).nullish(),
    ollama_config: z.object(endpointInput).nullish(),
    azure_openai_config: z
      .object({ ...endpointInput, version: z.string().max(100).nullish() })
      .nullish(),
  })
  .meta({
    id: 'EmbeddingConfigInput',
    example: { RAG_EMBEDDING_ENGINE: '', RAG_EMBEDDING_BATCH_SIZE: 32 },
  })
export type EmbeddingConfigInput = z.output<typeof embeddingConfigInputSchema>

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
/**
 * Retrieval settings under the names old clients know, with those of the web in `web`. Keys of
 * services are never returned.
 */
export const retrievalConfigSchema = z
  .looseObject({ status: z.literal(true), web: z.record(z.string(), valueSchema) })
  .meta({ id: 'RetrievalConfig' })
export type RetrievalConfig = z.output<typeof retrievalConfigSchema>

/** Any part of the same tree; null keeps the stored value, and unknown names are ignored. */
export const retrievalConfigInputSchema = z
  .looseObject({ web: z.looseObject({}).nullish() })
  .meta({ id: 'RetrievalConfigInput', example: { TOP_K: 5, web: { WEB_SEARCH_RESULT_COUNT: 3 } } })
export type RetrievalConfigInput = z.output<typeof retrievalConfigInputSchema>

const root = '/api/v1/retrieval'
const textLimit = 64 * 1024 * 1024
const adminRow = { auth: 'admin' } as const

export const retrievalEndpoints = defineEndpoints(
  { domain: 'retrieval', tag: 'Retrieval', root: '/api/v1/retrieval' },
  {
    processFile: {
      method: 'POST',
      path: '/process/file',
      bodyLimit: textLimit,
      body: z
        .object({
          file_id: idSchema,
          content: textSchema.nullish(),
          collection_name: collectionNameSchema.nullish(),
        })
        .meta({ id: 'ProcessFile', example: { file_id: '5a2f4a0e-3f0c-4f7e-9f1e-2b6f0d1c7a55' } }),
      response: processedTextSchema,
      errors: [400, 403, 404, 413, 422],
      summary:
        'Reads a file and makes it findable; `content` replaces its text, `collection_name` puts it into a collection of files too.',
    },
    processText: {
      method: 'POST',
      path: '/process/text',
      bodyLimit: textLimit,
      body: z
        .object({
          name: z.string().min(1).max(500),
          content: textSchema,
          collection_name: collectionNameSchema.nullish(),
        })
        .meta({
          id: 'ProcessText',
          example: { name: 'House rules', content: 'Quiet after ten.', collection_name: 'house' },
        }),
      response: processedTextSchema,
      errors: [400, 404, 413],
      summary: 'Adds a text to a collection; its name is made from the text when there is none.',
    },
    processWeb: {
      method: 'POST',
      path: '/process/web',
      aliases: [`${root}/process/youtube`],
      permission: 'chat.web_upload',
      query: z.object({ process: flagSchema.optional(), overwrite: flagSchema.optional() }),
      body: z
        .object({ url: urlSchema, collection_name: collectionNameSchema.nullish() })
        .meta({ id: 'ProcessWeb', example: { url: 'https://example.org/manual' } }),
      response: processedPageSchema,
      errors: [400, 403, 404, 422, 502, 504],
      summary:
        'Fetches a page, a document or the captions of a video in one request and makes its text findable. `process=false` only answers ' +
        'the text. Unless `overwrite` is false, it takes the place of what the collection held. Addresses that are not public are refused.',
    },
    searchWeb: {
      method: 'POST',
      path: '/process/web/search',
      permission: 'features.web_search',
      feature: 'ENABLE_WEB_SEARCH',
      body: z
        .object({ queries: z.array(z.string().min(1).max(2000)).min(1).max(20) })
        .meta({ id: 'SearchWeb', example: { queries: ['opening hours of the museum'] } }),
      response: z
        .object({
          status: z.literal(true),
          collection_name: z.string().nullable(),
          collection_names: z.array(z.string()),
          items: z.array(searchHitSchema),
          filenames: z.array(z.string()),
          docs: z.array(z.object({ content: z.string(), metadata: z.looseObject({}) })).optional(),
          loaded_count: z.int(),
        })
        .meta({ id: 'SearchedWeb' }),
      errors: [400, 403, 404, 502, 504],
      summary:
        'Searches the web, reads the results and indexes them in a collection of the caller.',
    },
    processFiles: {
      method: 'POST',
      path: '/process/files/batch',
      body: z
        .object({
          files: z.array(z.union([idSchema, z.looseObject({ id: idSchema })])).max(1000),
          collection_name: collectionNameSchema.min(1),
        })
        .meta({
          id: 'ProcessFiles',
          example: { files: [], collection_name: '0d9c3f5e-0000-4000-8000-000000000000' },
        }),
      response: z
        .object({ results: z.array(batchItemSchema), errors: z.array(batchItemSchema) })
        .meta({ id: 'ProcessedFiles' }),
      errors: [400, 404],
      summary: 'Reads files and puts them into a collection of files.',
    },
    queryDocument: {
      method: 'POST',
      path: '/query/doc',
      body: queryDocumentSchema,
      response: queryResultSchema,
      errors: [404, 502, 503, 504],
      summary: 'Passages of one collection that answer a question, the best first.',
    },
    queryCollections: {
      method: 'POST',
      path: '/query/collection',
      body: queryCollectionSchema,
      response: queryResultSchema,
      errors: [404, 502, 503, 504],
      summary: 'The same over several collections.',
    },
    embedding: {
      ...adminRow,
      method: 'GET',
      path: '/embedding',
      response: embeddingConfigSchema,
      summary: 'The engine that embeds documents.',
    },
    updateEmbedding: {
      ...adminRow,
      method: 'POST',
      path: '/embedding/update',
      body: embeddingConfigInputSchema,
      response: embeddingConfigSchema,
      errors: [400],
      summary:
        'Changes the engine that embeds documents. All documents are embedded again in the background.',
    },
    config: {
      ...adminRow,
      method: 'GET',
      path: '/config',
      response: retrievalConfigSchema,
      summary: 'Settings of documents and the web as one tree.',
    },
    updateConfig: {
      ...adminRow,
      method: 'POST',
      path: '/config/update',
      body: retrievalConfigInputSchema,
      response: retrievalConfigSchema,
      errors: [400],
      summary: 'Changes any part of that tree; null and absent values stay unchanged.',
    },
    remove: {
      ...adminRow,
      method: 'POST',
      path: '/delete',
      body: z.object({ collection_name: collectionNameSchema.min(1), file_id: idSchema }).meta({
        id: 'RemoveFromCollection',
        example: { collection_name: 'manuals', file_id: '5a2f4a0e-3f0c-4f7e-9f1e-2b6f0d1c7a55' },
      }),
      response: z.object({ status: z.boolean() }),
      errors: [404],
      summary: 'Removes a file from the index of a collection; the file stays.',
    },
    resetIndex: {
      ...adminRow,
      method: 'POST',
      path: '/reset/db',
      response: doneSchema,
      summary:
        'Removes all fetched pages and texts, and embeds the files of all users again in the background.',
    },
    resetUploads: {
      ...adminRow,
      method: 'POST',
      path: '/reset/uploads',
      response: doneSchema,
      summary: 'Deletes the files of all users.',
    },
  },
)

import { z } from './lazy-zod.ts'
import { jsonObjectSchema, pathTextSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const MODEL_BODY_LIMIT = 64 * 1024 * 1024
const UPLOAD_LIMIT = 64 * 1024 ** 3

/** Index of a connection in the list of its kind, as in `urls` of the model list. */
export const connectionIndexSchema = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a whole number')
  .transform(Number)

/** Path parameters of calls that may name their target connection. */
export const connectionPlaceParams = z.object({ url_idx: connectionIndexSchema.optional() })

/** Beginnings of the paths of the local runtime's API. */
export const RUNTIME_PATHS = ['/llmhost/', '/ollama/']

/** Returns the path under both prefixes. */
const at = (path: string) => ({ path: `/llmhost${path}`, aliases: [`/ollama${path}`] })

/** Returns the path under both prefixes, with and without the index of the target connection. */
const atEach = (path: string) => ({
  path: `/llmhost${path}`,
  aliases: [`/ollama${path}`, `/llmhost${path}/:url_idx`, `/ollama${path}/:url_idx`],
  params: connectionPlaceParams,
})

/** Hash of a file, as written by clients of runtimes. */
const digestSchema = z.string().regex(/^sha256[:-][\da-f]{64}$/, 'must be sha256: and 64 digits')

const atBlob = {
  ...atEach('/api/blobs/:digest'),
  params: connectionPlaceParams.extend({ digest: digestSchema }),
}

const modelName = z.string().min(1).max(512)

/**
 * Native call whose `model` determines its destination; all other fields reach the runtime
 * unchanged.
 */
export const runtimeCallSchema = z
  .looseObject({ model: modelName, stream: z.boolean().nullish() })
  .meta({ id: 'RuntimeCall' })

/** Native call that names its model in either spelling. */
export const runtimeModelCallSchema = z
  .looseObject({
    model: modelName.optional(),
    name: modelName.optional(),
    stream: z.boolean().nullish(),
  })
  .refine(({ model, name }) => model !== undefined || name !== undefined, {
    path: ['model'],
    message: 'is required',
  })
  .meta({ id: 'RuntimeModelCall' })

const connectionConfigSchema = z
  .looseObject({
    enable: z.boolean().optional(),
    /** Never returned; the mask or no value keeps the stored key, an empty text removes it. */
    key: z.string().max(8192).optional(),
    prefix_id: z.string().max(64).nullish(),
    model_ids: z.array(z.string().min(1).max(512)).max(1000).nullish(),
    headers: z.record(z.string(), z.string().max(4096)).nullish(),
    /**
     * Overrides whether models count as local or external, whatever the URL; null or no value keeps
     * it unchanged.
     */
    connection_type: z.enum(['local', 'external']).nullish().catch(null),
  })
  .meta({ id: 'ConnectionConfig' })

/** Options of the connections of one kind, by their index in the list of URLs. */
export const connectionConfigsSchema = z.record(z.string().max(2048), connectionConfigSchema)
export type ConnectionConfigs = z.output<typeof connectionConfigsSchema>

/** URLs in order, as configuration scripts send them. */
export const connectionUrlsSchema = z.array(z.string().trim().min(1).max(2048)).max(100)

const configSchema = z
  .object({
    ENABLE_OLLAMA_API: z.boolean(),
    OLLAMA_BASE_URLS: z.array(z.string()),
    OLLAMA_API_CONFIGS: connectionConfigsSchema,
    ENABLE_LLMHOST_API: z.boolean(),
    LLMHOST_BASE_URLS: z.array(z.string()),
    LLMHOST_API_CONFIGS: connectionConfigsSchema,
  })
  .meta({ id: 'RuntimeConfig' })

const configInputSchema = z
  .object({
    ENABLE_OLLAMA_API: z.boolean().nullish(),
    OLLAMA_BASE_URLS: connectionUrlsSchema.nullish(),
    OLLAMA_API_CONFIGS: connectionConfigsSchema.nullish(),
    ENABLE_LLMHOST_API: z.boolean().nullish(),
    LLMHOST_BASE_URLS: connectionUrlsSchema.nullish(),
    LLMHOST_API_CONFIGS: connectionConfigsSchema.nullish(),
  })
  .meta({ id: 'RuntimeConfigInput' })

const runtimeModelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})
const runtimeModelsSchema = z.object({
  object: z.literal('list'),
  data: z.array(runtimeModelSchema),
})

const call = {
  method: 'POST',
  reply: 'stream',
  errorDialect: 'runtime',
  bodyLimit: MODEL_BODY_LIMIT,
  takesAnyType: true,
  response: jsonObjectSchema,
  errors: [400, 404, 413, 429, 502, 503, 504],
} as const
const manage = { ...call, auth: 'admin', body: runtimeModelCallSchema } as const

export const runtimeProxyEndpoints = defineEndpoints(
  { domain: 'runtimeProxy', tag: 'Local runtime' },
  {
    status: {
      method: 'GET',
      ...at(''),
      response: z.object({ status: z.literal(true) }),
      summary: 'Confirms that the proxy of the local runtime exists.',
    },
    verify: {
      method: 'POST',
      ...at('/verify'),
      auth: 'admin',
      body: z.object({ url: connectionUrlsSchema.element, key: z.string().max(8192).nullish() }),
      takesAnyType: true,
      response: z.object({ version: z.string() }),
      errors: [400, 502],
      summary: 'Connects to a URL and returns the version of its runtime.',
    },
    config: {
      method: 'GET',
      ...at('/config'),
      auth: 'admin',
      response: configSchema,
      summary: 'The connected runtimes in the format of configuration scripts, in both spellings.',
    },
    updateConfig: {
      method: 'POST',
      ...at('/config/update'),
      auth: 'admin',
      body: configInputSchema,
      takesAnyType: true,
      response: configSchema,
      errors: [400],
      summary:
        'Replaces the list of runtimes and switches the proxy on or off; absent fields stay unchanged.',
    },
    tags: {
      method: 'GET',
      ...atEach('/api/tags'),
      errorDialect: 'runtime',
      response: z.object({
        models: z.array(
          z.looseObject({ name: z.string(), model: z.string(), urls: z.array(z.int()) }),
        ),
      }),
      errors: [404, 503],
      summary: 'Installed models of all runtimes the caller may use.',
    },
    ps: {
      method: 'GET',
      ...at('/api/ps'),
      auth: 'admin',
      errorDialect: 'runtime',
      response: z.object({ models: z.array(jsonObjectSchema) }),
      errors: [503],
      summary: 'Models that are loaded now, of all runtimes.',
    },
    version: {
      method: 'GET',
      ...atEach('/api/version'),
      errorDialect: 'runtime',
      response: z.object({ version: z.union([z.string(), z.literal(false)]) }),
      errors: [404, 502],
      summary: 'The lowest version of all runtimes; false when there is none.',
    },
    show: {
      ...call,
      ...at('/api/show'),
      body: runtimeModelCallSchema,
      summary: 'One model in detail.',
    },
    generate: {
      ...call,
      ...atEach('/api/generate'),
      body: runtimeCallSchema,
      summary: 'Completes a prompt; streams lines of JSON unless `stream` is false.',
    },
    chat: {
      ...call,
      ...atEach('/api/chat'),
      body: runtimeCallSchema,
      summary:
        'Answers messages in the native form; streams lines of JSON unless `stream` is false.',
    },
    embed: {
      ...call,
      ...atEach('/api/embed'),
      body: runtimeCallSchema,
      summary: 'Embeddings of one or several texts.',
    },
    embeddings: {
      ...call,
      ...atEach('/api/embeddings'),
      body: runtimeCallSchema,
      summary: 'The embedding of one prompt, in the older form.',
    },
    models: {
      method: 'GET',
      ...at('/v1/models'),
      errorDialect: 'chat-completions',
      response: runtimeModelsSchema,
      errors: [503],
      summary: 'Models of all runtimes the caller may use, in the format of remote providers.',
    },
    model: {
      method: 'GET',
      ...at('/v1/models/*model_id'),
      errorDialect: 'chat-completions',
      params: z.object({ model_id: pathTextSchema }),
      response: z.union([runtimeModelsSchema, runtimeModelSchema]),
      errors: [404, 503],
      summary:
        'The models of one runtime by its place in the list, or one model by its id, both in the format of remote providers.',
    },
    pull: {
      ...manage,
      ...atEach('/api/pull'),
      summary: 'Downloads a model; streams the progress.',
    },
    push: {
      ...manage,
      ...atEach('/api/push'),
      summary: 'Uploads a model to its library; streams the progress.',
    },
    pushByDelete: {
      ...manage,
      method: 'DELETE',
      ...atEach('/api/push'),
      summary: 'The same under the verb older scripts use.',
    },
    create: {
      ...manage,
      ...atEach('/api/create'),
      summary: 'Creates a model from another one or from files.',
    },
    findBlob: {
      method: 'GET',
      ...atBlob,
      auth: 'admin',
      errorDialect: 'runtime',
      response: z.object({ digest: digestSchema }),
      errors: [404, 502, 503],
      summary: 'Whether the runtime has a file of this hash; clients ask by HEAD.',
    },
    sendBlob: {
      method: 'POST',
      ...atBlob,
      auth: 'admin',
      reply: 'stream',
      errorDialect: 'runtime',
      upload: { types: ['application/octet-stream'], limit: UPLOAD_LIMIT },
      response: jsonObjectSchema,
      errors: [400, 413, 502, 503, 507],
      summary:
        'Uploads a file to the runtime for `create`; refused unless its bytes have the hash in the URL.',
    },
    copy: {
      ...manage,
      ...atEach('/api/copy'),
      body: z.looseObject({ source: modelName, destination: modelName }),
      summary: 'Copies a model under a second name.',
    },
    remove: {
      ...manage,
      method: 'DELETE',
      ...atEach('/api/delete'),
      summary: 'Deletes a model from the disk.',
    },
    unload: {
      ...manage,
      ...at('/api/unload'),
      reply: 'json',
      response: z.object({ status: z.literal(true) }),
      summary: 'Frees the memory of a model on every runtime that has it.',
    },
    download: {
      ...manage,
      ...atEach('/models/download'),
      body: z.object({ url: z.string().trim().max(2048) }),
      summary: 'Fetches a model file from a known library and installs it; streams the progress.',
    },
    upload: {
      method: 'POST',
      ...atEach('/models/upload'),
      auth: 'admin',
      reply: 'stream',
      query: z.object({ filename: z.string().min(1).max(200).optional() }),
      upload: { types: ['multipart/form-data', 'application/octet-stream'], limit: UPLOAD_LIMIT },
      response: jsonObjectSchema,
      errors: [400, 413, 415, 502, 503],
      summary: 'Installs a model from a file; streams the progress.',
    },
  },
)

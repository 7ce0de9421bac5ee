import { z } from './lazy-zod.ts'
import { chatCompletionSchema } from './completions.ts'
import { jsonObjectSchema, pathTextSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { connectionConfigsSchema, connectionUrlsSchema } from './runtime-proxy.ts'

const MODEL_BODY_LIMIT = 64 * 1024 * 1024

const configSchema = z
  .object({
    ENABLE_OPENAI_API: z.boolean(),
    OPENAI_API_BASE_URLS: z.array(z.string()),
    /** Keys, masked. */
    OPENAI_API_KEYS: z.array(z.string()),
    OPENAI_API_CONFIGS: connectionConfigsSchema,
  })
  .meta({ id: 'CompatibleConfig' })

const configInputSchema = z
  .object({
    ENABLE_OPENAI_API: z.boolean().nullish(),
    OPENAI_API_BASE_URLS: connectionUrlsSchema.nullish(),
    /** Matched to the URLs by position; a mask keeps the stored key. */
    OPENAI_API_KEYS: z.array(z.string().max(8192)).max(1000).nullish(),
    OPENAI_API_CONFIGS: connectionConfigsSchema.nullish(),
  })
  .meta({ id: 'CompatibleConfigInput' })

const listedModelSchema = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})
const modelListSchema = z
  .object({ object: z.literal('list'), data: z.array(listedModelSchema) })
  .meta({ id: 'CompatibleModelList' })

const passThrough = {
  reply: 'stream',
  errorDialect: 'chat-completions',
  feature: 'ENABLE_OPENAI_API_PASSTHROUGH',
  params: z.object({ path: z.array(z.string()) }),
  response: z.unknown(),
  errors: [403, 404, 502, 503, 504],
} as const

export const compatibleProxyEndpoints = defineEndpoints(
  { domain: 'compatibleProxy', tag: 'Remote providers', root: '/openai' },
  {
    config: {
      method: 'GET',
      path: '/config',
      auth: 'admin',
      response: configSchema,
      summary: 'The connected providers in the format of configuration scripts; keys are masked.',
    },
    updateConfig: {
      method: 'POST',
      path: '/config/update',
      auth: 'admin',
      body: configInputSchema,
      response: configSchema,
      errors: [400],
      summary:
        'Replaces the list of providers and switches the proxy on or off; absent fields stay unchanged.',
    },
    verify: {
      method: 'POST',
      path: '/verify',
      auth: 'admin',
      body: z.object({
        url: connectionUrlsSchema.element,
        key: z.string().max(8192).nullish(),
        config: jsonObjectSchema.nullish(),
      }),
      response: z.object({
        object: z.literal('list'),
        data: z.array(z.object({ id: z.string(), object: z.literal('model') })),
      }),
      errors: [400, 502],
      summary: 'Connects to a URL with a key and returns its models.',
    },
    models: {
      method: 'GET',
      path: '/models',
      errorDialect: 'chat-completions',
      response: modelListSchema,
      summary: 'Models of all remote providers the caller may use.',
    },
    model: {
      method: 'GET',
      path: '/models/*model_id',
      errorDialect: 'chat-completions',
      params: z.object({ model_id: pathTextSchema }),
      response: z.union([modelListSchema, listedModelSchema]),
      errors: [404],
      summary: 'The models of one provider by its place in the list, or one model by its id.',
    },
    chatCompletions: {
      method: 'POST',
      path: '/chat/completions',
      reply: 'stream',
      errorDialect: 'chat-completions',
      bodyLimit: MODEL_BODY_LIMIT,
      body: z.looseObject({ model: z.string().min(1).max(512), stream: z.boolean().nullish() }),
      response: chatCompletionSchema,
      errors: [400, 413, 502, 503, 504],
      summary:
        'Passes a call to the provider of its model; status and body are those of the provider.',
    },
  },
)

/** Any other path of a provider. Matched after all other routes below `/openai`. */
export const passThroughEndpoints = defineEndpoints(
  { domain: 'passThrough', tag: 'Remote providers', ...passThrough },
  {
    get: {
      method: 'GET',
      path: '/openai/*path',
      summary: 'Passes another call to the first provider, if its path is allowed.',
    },
    post: {
      method: 'POST',
      path: '/openai/*path',
      upload: { types: ['application/json'], limit: MODEL_BODY_LIMIT },
      summary: 'Passes another call to the first provider.',
    },
    remove: {
      id: 'passThrough.delete',
      method: 'DELETE',
      path: '/openai/*path',
      summary: 'Refused; nothing is deleted at a provider.',
    },
  },
)

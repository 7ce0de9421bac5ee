import { z } from './lazy-zod.ts'
import { chatCompletionSchema } from './completions.ts'
import { jsonObjectSchema, pathTextSchema } from './common.ts'
import { defineEndpoint } from './endpoint.ts'
import { connectionConfigsSchema, connectionUrlsSchema } from './runtime-proxy.ts'

const tag = 'Remote providers'
const MODEL_BODY_LIMIT = 64 * 1024 * 1024

const configSchema = z
  .object({
    ENABLE_OPENAI_API: z.boolean(),
    OPENAI_API_BASE_URLS: z.array(z.string()),
    /** Masks in place of the keys. */
    OPENAI_API_KEYS: z.array(z.string()),
    OPENAI_API_CONFIGS: connectionConfigsSchema,
  })
  .meta({ id: 'CompatibleConfig' })

const configInputSchema = z
  .object({
    ENABLE_OPENAI_API: z.boolean().nullish(),
    OPENAI_API_BASE_URLS: connectionUrlsSchema.nullish(),
    /** Matched to the addresses by place; a mask keeps the stored key. */
    OPENAI_API_KEYS: z.array(z.string().max(8192)).max(1000).nullish(),
    OPENAI_API_CONFIGS: connectionConfigsSchema.nullish(),
  })
  .meta({ id: 'CompatibleConfigInput' })

const listedModelSchema = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
})
const modelListSchema = z
  .object({ object: z.literal('list'), data: z.array(listedModelSchema) })
  .meta({ id: 'CompatibleModelList' })

const passThrough = {
  tag,
  path: '/openai/*path',
  reply: 'stream',
  errorDialect: 'chat-completions',
  feature: 'ENABLE_OPENAI_API_PASSTHROUGH',
  params: z.object({ path: z.array(z.string()) }),
  response: z.unknown(),
  errors: [403, 404, 502, 503, 504],
} as const

export const compatibleProxyEndpoints = {
  config: defineEndpoint({
    id: 'compatibleProxy.config',
    tag,
    method: 'GET',
    path: '/openai/config',
    auth: 'admin',
    response: configSchema,
    summary: 'The connected providers as configuration scripts know them; keys are masked.',
  }),
  updateConfig: defineEndpoint({
    id: 'compatibleProxy.updateConfig',
    tag,
    method: 'POST',
    path: '/openai/config/update',
    auth: 'admin',
    body: configInputSchema,
    response: configSchema,
    errors: [400],
    summary:
      'Replaces the list of providers and switches the proxy on or off; what is absent stays.',
  }),
  verify: defineEndpoint({
    id: 'compatibleProxy.verify',
    tag,
    method: 'POST',
    path: '/openai/verify',
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
    summary: 'Tries an address with a key and answers the models there.',
  }),
  models: defineEndpoint({
    id: 'compatibleProxy.models',
    tag,
    method: 'GET',
    path: '/openai/models',
    errorDialect: 'chat-completions',
    response: modelListSchema,
    summary: 'Models of all remote providers the caller may use.',
  }),
  model: defineEndpoint({
    id: 'compatibleProxy.model',
    tag,
    method: 'GET',
    path: '/openai/models/*model_id',
    errorDialect: 'chat-completions',
    params: z.object({ model_id: pathTextSchema }),
    response: z.union([modelListSchema, listedModelSchema]),
    errors: [404],
    summary: 'The models of one provider by its place in the list, or one model by its id.',
  }),
  chatCompletions: defineEndpoint({
    id: 'compatibleProxy.chatCompletions',
    tag,
    method: 'POST',
    path: '/openai/chat/completions',
    reply: 'stream',
    errorDialect: 'chat-completions',
    bodyLimit: MODEL_BODY_LIMIT,
    body: z.looseObject({ model: z.string().min(1).max(512), stream: z.boolean().nullish() }),
    response: chatCompletionSchema,
    errors: [400, 413, 502, 503, 504],
    summary:
      'Hands a call to the provider of its model; status and body are those of the provider.',
  }),
}

/** Anything else a provider offers. Matched after everything else below `/openai`. */
export const passThroughEndpoints = {
  get: defineEndpoint({
    ...passThrough,
    id: 'passThrough.get',
    method: 'GET',
    summary: 'Asks the first provider for something else it offers.',
  }),
  post: defineEndpoint({
    ...passThrough,
    id: 'passThrough.post',
    method: 'POST',
    upload: { types: ['application/json'], limit: MODEL_BODY_LIMIT },
    summary: 'Hands another call to the first provider.',
  }),
  remove: defineEndpoint({
    ...passThrough,
    id: 'passThrough.delete',
    method: 'DELETE',
    summary: 'Refused; nothing is deleted at a provider.',
  }),
}

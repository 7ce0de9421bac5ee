import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

export const modelTagsSchema = z.array(z.looseObject({ name: z.string() }))

/**
 * Pictures, descriptions, capabilities, tags, default tools and other data of a model; unknown
 * fields are kept.
 */
export const modelMetaSchema = z.looseObject({
  description: z.string().nullish(),
  profile_image_url: z.string().nullish(),
  capabilities: jsonObjectSchema.optional(),
  tags: modelTagsSchema.optional(),
  hidden: z.boolean().optional(),
})

/** Default parameters of every model, overridden by its own fields; stored as a JSON setting. */
export const defaultModelParamsSchema = jsonObjectSchema

/**
 * Settings about models. The lists of defaults are comma-separated ids, as in the reference system.
 */
export const modelsConfigSchema = z
  .object({
    DEFAULT_MODELS: z.string(),
    DEFAULT_PINNED_MODELS: z.string(),
    MODEL_ORDER_LIST: z.array(z.string()),
    DEFAULT_MODEL_METADATA: modelMetaSchema,
    DEFAULT_MODEL_PARAMS: defaultModelParamsSchema,
  })
  .meta({ id: 'ModelsConfig' })
export type ModelsConfig = z.output<typeof modelsConfigSchema>

const modelsConfigInputSchema = z.object({
  DEFAULT_MODELS: z.string().max(20_000).nullish(),
  DEFAULT_PINNED_MODELS: z.string().max(20_000).nullish(),
  MODEL_ORDER_LIST: z.array(z.string().max(512)).max(1000).nullish(),
  DEFAULT_MODEL_METADATA: modelMetaSchema.nullish(),
  DEFAULT_MODEL_PARAMS: defaultModelParamsSchema.nullish(),
})
export type ModelsConfigInput = z.output<typeof modelsConfigInputSchema>

export const modelDefaultsEndpoints = defineEndpoints(
  { domain: 'models', tag: 'Models', root: '/api/v1/configs/models' },
  {
    config: {
      method: 'GET',
      path: '',
      auth: 'admin',
      response: modelsConfigSchema,
      summary: 'Default, pinned and ordered models, and what every model begins with.',
    },
    updateConfig: {
      method: 'POST',
      path: '',
      auth: 'admin',
      body: modelsConfigInputSchema,
      response: modelsConfigSchema,
      errors: [400],
      summary: 'Changes these settings; absent ones keep their values, null restores the default.',
    },
    defaults: {
      method: 'GET',
      path: '/defaults',
      response: modelsConfigSchema.pick({
        DEFAULT_MODELS: true,
        DEFAULT_PINNED_MODELS: true,
        DEFAULT_MODEL_METADATA: true,
      }),
      summary: 'The part of these settings that the interface uses.',
    },
  },
)

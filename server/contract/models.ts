import { z } from 'zod'
import { flagSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoint } from './endpoint.ts'

/** One row of the model list. `connection_type` says whether prompts leave this computer. */
export const modelSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    object: z.literal('model'),
    created: z.number().int(),
    owned_by: z.string(),
    connection_type: z.enum(['local', 'external']),
    /** Name of the connection the model comes from, as shown in pickers. */
    connection_name: z.string(),
    info: z.looseObject({ meta: z.looseObject({ description: z.string().optional(), capabilities: jsonObjectSchema.optional() }) }),
  })
  .meta({ id: 'Model' })
export type Model = z.output<typeof modelSchema>

/** Model info (specification, Resources › Model); the map of the reference is under `meta.capability_flags`. */
export const modelInfoSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    model: z.string(),
    base_model_id: z.string().nullable(),
    meta: z.looseObject({
      description: z.string().nullable(),
      capabilities: z.array(z.string()),
      capability_flags: z.record(z.string(), z.boolean()),
      context_length: z.number().int().nullable(),
      max_output_tokens: z.number().int().nullable(),
    }),
    params: jsonObjectSchema,
    created_at: z.number().int(),
    updated_at: z.number().int(),
  })
  .meta({ id: 'ModelInfo' })
export type ModelInfo = z.output<typeof modelInfoSchema>

const tag = 'Models'

export const modelEndpoints = {
  list: defineEndpoint({
    id: 'models.list',
    tag,
    method: 'GET',
    path: '/api/models',
    aliases: ['/api/v1/models'],
    query: z.object({ refresh: flagSchema.optional() }),
    response: z.object({ object: z.literal('list'), data: z.array(modelSchema) }).meta({ id: 'ModelList' }),
    summary: 'Every model the caller may use. A dead connection is left out and delays nothing.',
  }),
  info: defineEndpoint({
    id: 'models.info',
    tag,
    method: 'GET',
    path: '/api/v1/models/model',
    query: z.object({ id: z.string().min(1).max(512) }),
    response: modelInfoSchema,
    errors: [404],
    summary: 'One model in detail.',
  }),
}

import { z } from 'zod'
import { accessInput } from './access.ts'
import { defineEndpoint } from './endpoint.ts'

/**
 * An entry that stands for a random model of several. `model_ids` names them, or with `exclude` the ones to leave out; none
 * means all. Without access grants everybody may use it, with an empty list administrators only.
 */
export const arenaModelSchema = z
  .looseObject({
    id: z.string().trim().min(1).max(256),
    name: z.string().trim().min(1).max(500),
    meta: z
      .looseObject({
        description: z.string().max(10_000).nullish(),
        profile_image_url: z.string().nullish(),
        model_ids: z.array(z.string().max(512)).max(1000).nullish(),
        filter_mode: z.enum(['include', 'exclude']).nullish(),
        ...accessInput,
      })
      .default({}),
  })
  .meta({ id: 'ArenaModel' })
export type ArenaModel = z.output<typeof arenaModelSchema>
export const arenaModelsSchema = z.array(arenaModelSchema).max(200)

export const evaluationsConfigSchema = z
  .object({ ENABLE_EVALUATION_ARENA_MODELS: z.boolean(), EVALUATION_ARENA_MODELS: arenaModelsSchema })
  .meta({ id: 'EvaluationsConfig' })
export type EvaluationsConfig = z.output<typeof evaluationsConfigSchema>

const evaluationsConfigInputSchema = z.object({
  ENABLE_EVALUATION_ARENA_MODELS: z.boolean().nullish(),
  EVALUATION_ARENA_MODELS: arenaModelsSchema.nullish(),
})
export type EvaluationsConfigInput = z.output<typeof evaluationsConfigInputSchema>

const tag = 'Evaluations'

export const evaluationEndpoints = {
  config: defineEndpoint({
    id: 'evaluations.config',
    tag,
    method: 'GET',
    path: '/api/v1/evaluations/config',
    auth: 'admin',
    response: evaluationsConfigSchema,
    summary: 'Settings of arena models.',
  }),
  updateConfig: defineEndpoint({
    id: 'evaluations.updateConfig',
    tag,
    method: 'POST',
    path: '/api/v1/evaluations/config',
    auth: 'admin',
    body: evaluationsConfigInputSchema,
    response: evaluationsConfigSchema,
    errors: [400],
    summary: 'Changes the settings of arena models; what is not named keeps its value.',
  }),
}
